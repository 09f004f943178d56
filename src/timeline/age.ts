import type { MessageId } from '../model/index.ts';
import type { Outline } from './outline.ts';

/**
 * Copies keep the times of what they copy, so a file's age shows in what is no copy; where copies don't show, in what no other file
 * has. A file with nothing of its own is a copy that was not gone on with.
 */
export const byAge = (isShared: (prompt: MessageId) => boolean): ((a: Outline, b: Outline) => number) => {
  const known = new Map<Outline, string>();
  const ageOf = (outline: Outline): string => {
    let age = known.get(outline);
    if (age === undefined) {
      const written = outline.prompts.filter(({ isCopy }) => !isCopy);
      const own = written.find(({ id }) => !isShared(id));
      age = [written[0]?.at, own?.at, outline.startedAt].map((at) => at ?? LATEST).join(' ');
      known.set(outline, age);
    }
    return age;
  };
  return (a, b) =>
    compare(ageOf(a), ageOf(b)) ||
    compare(a.session, b.session) ||
    // One session in two places: any order that is always the same.
    compare(JSON.stringify(a), JSON.stringify(b));
};

/** After every time. */
const LATEST = '\uffff';

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
