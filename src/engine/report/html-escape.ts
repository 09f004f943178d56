import { visible, visibleLine } from './visible.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const asText = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

/** Text from anybody, as it stands between tags or in an attribute: nothing of it is markup, and nothing of it is hidden. */
export const escaped = (text: string): string => asText(visible(text));

export const escapedLine = (text: string): string => asText(visibleLine(text));
