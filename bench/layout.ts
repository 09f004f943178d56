const FILES_PER_DIRECTORY = 20;
const BRANCHING = 8;

const NAMES = ['core', 'view', 'auth', 'data', 'http', 'util', 'form', 'jobs'] as const;

/** Five ways in which projects are laid out, each with the kind of file that it holds. */
const SHAPES: readonly { readonly extension: string; readonly directory: (number: number) => string }[] = [
  { extension: 'ts', directory: (number) => `src/${nested(number)}` },
  { extension: 'js', directory: (number) => `packages/package-${number >> 2}/lib/part-${number & 3}` },
  { extension: 'md', directory: (number) => `docs/chapter-${number}` },
  { extension: 'test.ts', directory: (number) => `test/${nested(number)}/cases` },
  { extension: 'json', directory: (number) => `assets/${NAMES[number % BRANCHING]}/set-${number}` },
];

/** The paths of so many files, the same ones every time: a larger repository holds all those of a smaller one. */
export const layOut = (files: number): string[] =>
  Array.from({ length: files }, (_, file) => {
    const place = Math.floor(file / FILES_PER_DIRECTORY);
    const shape = SHAPES[place % SHAPES.length] as (typeof SHAPES)[number];
    const directory = shape.directory(Math.floor(place / SHAPES.length));
    return `${directory}/${NAMES[file % BRANCHING]}-${file % FILES_PER_DIRECTORY}.${shape.extension}`;
  });

/** The digits of a number as names of directories in one another. */
const nested = (number: number): string => {
  const name = `${NAMES[number % BRANCHING]}`;
  return number < BRANCHING ? name : `${nested(Math.floor(number / BRANCHING) - 1)}/${name}`;
};
