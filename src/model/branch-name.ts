/** What no ref has anywhere in its name. */
const FORBIDDEN = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$/u;

/** Whether git takes a text as the name of a new branch, by its rules for refs (git help check-ref-format). */
export const canNameBranch = (name: string): boolean =>
  !['', 'HEAD'].includes(name) &&
  !name.startsWith('-') &&
  !FORBIDDEN.test(name) &&
  name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
