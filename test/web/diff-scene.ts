import { Buffer } from 'node:buffer';
import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { put, type Scene } from '../support/scene.ts';

/** A picture of one colour, half of it see-through. */
const png = (red: number, green: number, blue: number): Buffer => {
  const size = 48;
  const row = [0, ...Array.from({ length: size }, (_, x) => [red, green, blue, x < size / 2 ? 255 : 80]).flat()];
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const numbers = Buffer.alloc(8);
    numbers.writeUInt32BE(data.length, 0);
    numbers.writeUInt32BE(checksum(body), 4);
    return Buffer.concat([numbers.subarray(0, 4), body, numbers.subarray(4)]);
  };
  const header = Buffer.from([0, 0, 0, size, 0, 0, 0, size, 8, 6, 0, 0, 0]);
  const pixels = deflateSync(Buffer.from(Array.from({ length: size }, () => row).flat()));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const checksum = (bytes: Buffer): number => {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
};

export const CART = `import { Item } from './item.ts';

/* What the whole cart
   comes to. */
export const total = (items: Item[]): number => {
  let sum = 0;
  for (const item of items) {
    sum += item.price;
  }
  return sum;
};

export class Shop {
  readonly name = 'A small shop';

  open(): string {
    return \`\${this.name} is open\`;
  }

  close(): string {
    return 'closed';
  }
}
`;

export const CART_AFTER = CART.replace('sum += item.price;', 'sum += item.price * item.amount;')
  .replace('   comes to. */', '   comes to,\n   with the tax. */')
  .replace("return 'closed';", "return 'closed until tomorrow';");

const INDENTED = 'if (a) {\nfirst();\nsecond();\n}\n';

/** Names that would do something if they were not only shown. */
export const HTML_NAME = '<img src=x onerror=alert(1)>.txt';
export const BIDI_NAME = 'safe\u202etxt.exe';

/** Every kind of file that can change. */
const makeFiles = (root: string): void => {
  put(root, 'src/shop/cart.ts', CART);
  put(root, 'src/shop/indented.js', INDENTED);
  put(root, 'src/shop/old-name.ts', 'export const one = 1;\nexport const two = 2;\n');
  put(root, 'docs/windows.txt', 'one\r\ntwo\r\nthree\r\n');
  put(root, 'docs/becomes-windows.txt', 'one\ntwo\n');
  put(root, 'docs/no-newline.txt', 'one\ntwo');
  put(root, 'docs/latin1.txt', Buffer.from('caf\xe9\nsame\n', 'latin1'));
  put(root, 'docs/long-line.txt', `${'word '.repeat(3000)}\n`);
  put(root, `odd/${HTML_NAME}`, '<b>bold</b>\nsame\n');
  put(root, `odd/${BIDI_NAME}`, 'text\n');
  put(root, 'odd/escapes.txt', 'plain\n');
  writeFileSync(Buffer.concat([Buffer.from(`${root}/odd/n`), Buffer.from([0xff])]), 'bytes\n');
  put(root, 'run.sh', 'echo\n');
  put(root, 'link', 'a file\n');
  put(root, 'data.bin', Buffer.from([0, 1, 2, 3]));
  put(root, 'logo.png', png(200, 30, 30));
  put(
    root,
    'drawing.svg',
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20" fill="red"/></svg>\n',
  );
  put(root, 'gone.txt', 'gone\n');
};

const changeFiles = (root: string): void => {
  put(root, 'src/shop/cart.ts', CART_AFTER);
  put(root, 'src/shop/indented.js', INDENTED.replaceAll(/^(first|second)/gm, '  $1').replace('}', '  third();\n}'));
  rmSync(join(root, 'src/shop/old-name.ts'));
  put(root, 'src/shop/new-name.ts', 'export const one = 1;\nexport const two = 2;\n');
  put(root, 'docs/windows.txt', 'one\r\n2\r\nthree\r\n');
  put(root, 'docs/becomes-windows.txt', 'one\r\ntwo\r\n');
  put(root, 'docs/no-newline.txt', 'one\n2');
  put(root, 'docs/latin1.txt', Buffer.from('caf\xe9 au lait\nsame\n', 'latin1'));
  put(root, 'docs/long-line.txt', `${'word '.repeat(3000)}end\n`);
  put(root, `odd/${HTML_NAME}`, '<script>alert(1)</script>\nsame\n');
  put(root, `odd/${BIDI_NAME}`, 'te\u202ext\n');
  put(root, 'odd/escapes.txt', '\u001b[31mred\u0007\n');
  writeFileSync(Buffer.concat([Buffer.from(`${root}/odd/n`), Buffer.from([0xff])]), 'other bytes\n');
  chmodSync(join(root, 'run.sh'), 0o755);
  rmSync(join(root, 'link'));
  symlinkSync('run.sh', join(root, 'link'));
  put(root, 'data.bin', Buffer.from([0, 3, 2, 1, 9]));
  put(root, 'logo.png', png(30, 90, 200));
  put(root, 'new.png', png(30, 200, 90));
  put(
    root,
    'drawing.svg',
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20" fill="blue"/></svg>\n',
  );
  rmSync(join(root, 'gone.txt'));
  put(root, 'empty.txt', '');
};

export interface Recorded {
  readonly before: string;
  readonly after: string;
}

/** The two states, each recorded under a name. */
export const recordFiles = ({ workspace, retake }: Scene): Recorded => {
  makeFiles(workspace);
  const before: string = retake.json(workspace, 'checkpoint', '--name', 'Before the tax').id;
  changeFiles(workspace);
  return { before, after: retake.json(workspace, 'checkpoint', '--name', 'After the tax').id };
};
