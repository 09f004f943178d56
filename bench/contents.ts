import { Random } from './random.ts';

const SMALLEST = 100;
const LARGEST = 20_000;
const BINARY_SHARE = 0.03;

const WORDS = 'value index result options path entry buffer state record total request handler cache token parent node count name'.split(
  ' ',
);

/** Lines as source code has them: few shapes, many names. What is put together from them compresses like source code. */
const LINES = makeLines(new Random(1));

/** A file: most are small, few are large (sizes are spread evenly over their logarithm). */
export const makeContent = (random: Random): Buffer => {
  const size = Math.round(SMALLEST * (LARGEST / SMALLEST) ** random.next());
  return random.next() < BINARY_SHARE ? makeBinary(random, size) : makeText(random, size);
};

export const makeText = (random: Random, size: number): Buffer => {
  let text = `// ${random.below(2 ** 32).toString(36)}\n`;
  while (text.length < size) text += random.pick(LINES);
  return Buffer.from(text, 'latin1');
};

export const makeLine = (random: Random): string => `  const ${random.pick(WORDS)} = ${random.below(1_000_000)};\n`;

const makeBinary = (random: Random, size: number): Buffer => {
  const bytes = Buffer.allocUnsafe(size);
  for (let at = 0; at < size; at++) bytes[at] = random.below(256);
  return bytes;
};

function makeLines(random: Random): string[] {
  const word = (): string => random.pick(WORDS);
  const shapes = [
    () => `  const ${word()} = ${word()}.${word()}(${word()}, ${random.below(100)});\n`,
    () => `  if (${word()} === undefined) return ${word()};\n`,
    () => `    ${word()}.${word()} = ${word()} + ${random.below(1000)};\n`,
    () => `  // The ${word()} of the ${word()} is the ${word()} that was there before.\n`,
    () => `export function ${word()}_${word()}(${word()}, ${word()}) {\n`,
    () => `  for (const ${word()} of ${word()}) ${word()}.push(${word()});\n`,
    () => '}\n',
    () => '\n',
  ];
  return Array.from({ length: 4000 }, () => random.pick(shapes)());
}
