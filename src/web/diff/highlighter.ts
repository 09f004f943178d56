import { common, createLowlight } from 'lowlight';
import type { Highlight } from './colours.ts';

const lowlight = createLowlight(common);

/** Apart from the rest of the page: it is read when the first lines are shown, which do not wait for it. */
export const highlight: Highlight = (language, text) => lowlight.highlight(language, text) as ReturnType<Highlight>;
