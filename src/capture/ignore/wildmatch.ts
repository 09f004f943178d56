import { parseByteClass, SLASH } from './byteclass.ts';

/** The letters A to Z in lower case and every other byte as it is: what `core.ignoreCase` means to git. */
export const foldCase = <Text extends string>(text: Text): Text => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) as Text;

/** One step of a compiled pattern: a byte to find literally, one of these, or the number of a byte class. */
const ANY_BYTE = 256;
const STAR = 257;
const STAR_STAR = 258;
const DIRECTORIES = 259;
const FIRST_CLASS = 260;

/**
 * A glob with the meaning that git's wildmatch gives it for path names:
 * `*` and `?` stop at `/`; `**` as a whole path part crosses it, and `**` followed by `/` may also stand for nothing;
 * runs of stars anywhere else are one `*`.
 */
export class Wildmatch {
  readonly #steps: readonly number[];
  readonly #classes: readonly Uint8Array[];

  private constructor(steps: readonly number[], classes: readonly Uint8Array[]) {
    this.#steps = steps;
    this.#classes = classes;
  }

  /** Undefined when nothing can ever match. With `ignoreCase`, matches text that has gone through `foldCase`. */
  static compile(pattern: string, options: { ignoreCase: boolean }): Wildmatch | undefined {
    const steps: number[] = [];
    const classes: Uint8Array[] = [];
    let at = 0;
    while (at < pattern.length) {
      switch (pattern[at]) {
        case '\\':
          if (at + 1 === pattern.length) return undefined;
          // Not folded, so that with ignoreCase an escaped capital matches nothing: git's way.
          steps.push(pattern.charCodeAt(at + 1));
          at += 2;
          break;
        case '?':
          steps.push(ANY_BYTE);
          at++;
          break;
        case '*': {
          const [step, end] = parseStars(pattern, at);
          steps.push(step);
          at = end;
          break;
        }
        case '[': {
          const found = parseByteClass(pattern, at, options.ignoreCase);
          if (found === undefined) return undefined;
          steps.push(FIRST_CLASS + classes.length);
          classes.push(found.members);
          at = found.end;
          break;
        }
        default: {
          const byte = pattern.charAt(at);
          steps.push((options.ignoreCase ? foldCase(byte) : byte).charCodeAt(0));
          at++;
        }
      }
    }
    return new Wildmatch(steps, classes);
  }

  /**
   * Whether all of `text` from `start` on matches.
   *
   * Each star first takes as little as it can. Because what lies between two stars is then found as far left as
   * possible, a star that was passed never needs to be reconsidered once a later one of its kind is reached, nor can
   * anything be gained after the text ran out. So there are two places to go back to and never a stack of them.
   */
  matches(text: string, start = 0): boolean {
    const steps = this.#steps;
    let step = 0;
    let at = start;
    let afterStar = -1;
    let starEnd = 0;
    let afterDeep = -1;
    let deepEnd = 0;
    for (;;) {
      if (step === steps.length) {
        if (at === text.length) return true;
      } else {
        const wanted = steps[step] as number;
        if (wanted === STAR) {
          afterStar = ++step;
          starEnd = at;
          continue;
        }
        if (wanted === STAR_STAR || wanted === DIRECTORIES) {
          afterDeep = ++step;
          deepEnd = at;
          afterStar = -1;
          continue;
        }
        if (at === text.length) return false;
        if (this.#accepts(wanted, text.charCodeAt(at))) {
          step++;
          at++;
          continue;
        }
      }
      if (afterStar >= 0 && text.charCodeAt(starEnd) !== SLASH) {
        at = ++starEnd;
        step = afterStar;
      } else if (afterDeep >= 0) {
        if (steps[afterDeep - 1] === DIRECTORIES) {
          const slash = text.indexOf('/', deepEnd);
          if (slash < 0) return false;
          deepEnd = slash;
        }
        at = ++deepEnd;
        step = afterDeep;
        afterStar = -1;
      } else {
        return false;
      }
    }
  }

  #accepts(wanted: number, byte: number): boolean {
    if (wanted < ANY_BYTE) return wanted === byte;
    if (wanted === ANY_BYTE) return byte !== SLASH;
    return this.#classes[wanted - FIRST_CLASS]?.[byte] === 1;
  }
}

/** The step for the run of stars that begins at `start`, and the index after what it stands for. */
const parseStars = (pattern: string, start: number): [step: number, end: number] => {
  let end = start;
  while (pattern[end] === '*') end++;
  const isWholePart =
    end - start > 1 &&
    (start === 0 || pattern[start - 1] === '/') &&
    (end === pattern.length || pattern[end] === '/' || pattern.startsWith('\\/', end));
  if (!isWholePart) return [STAR, end];
  return pattern[end] === '/' ? [DIRECTORIES, end + 1] : [STAR_STAR, end];
};
