import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type DemoPlace, demoEnvironment } from './place.ts';

/** The project before an agent has seen it. */
const FILES: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "shop",
  "private": true,
  "type": "module",
  "scripts": {
    "start": "node src/main.ts",
    "test": "node --test"
  }
}
`,
  'README.md': `# Shop

A small shop for tea and books.

    npm start
`,
  '.gitignore': `.env
dist/
`,
  '.env.example': `PAYMENT_KEY=put-your-key-here
PAYMENT_MODE=sandbox
`,
  'src/catalogue.ts': `export interface Product {
  name: string;
  /** In cents, without tax. */
  price: number;
  kind: 'goods' | 'book';
}

export const TEAPOT: Product = { name: 'Teapot', price: 2496, kind: 'goods' };
export const SENCHA: Product = { name: 'Sencha, 100 g', price: 1160, kind: 'goods' };
export const COOKBOOK: Product = { name: 'Cakes for tea', price: 1845, kind: 'book' };
`,
  'src/cart.ts': `import type { Product } from './catalogue.ts';

export interface Line {
  product: Product;
  quantity: number;
}

/** What a customer is about to buy. */
export class Cart {
  readonly lines: Line[] = [];

  add(product: Product, quantity = 1): void {
    this.lines.push({ product, quantity });
  }

  total(): number {
    return this.lines.reduce((sum, { product, quantity }) => sum + product.price * quantity, 0);
  }
}
`,
  'src/print.ts': `export const euros = (cents: number): string => \`\${(cents / 100).toFixed(2)} EUR\`;
`,
  'src/main.ts': `import { Cart } from './cart.ts';
import { COOKBOOK, SENCHA, TEAPOT } from './catalogue.ts';
import { euros } from './print.ts';

const cart = new Cart();
cart.add(TEAPOT);
cart.add(SENCHA, 3);
cart.add(COOKBOOK, 2);

console.log(\`Total: \${euros(cart.total())}\`);
`,
};

const UNCOMMITTED: Readonly<Record<string, string>> = {
  '.env': `PAYMENT_KEY=live_8Zt4pWq2vX
PAYMENT_MODE=live
`,
  'dist/main.js': '// built\n',
};

/** Makes the project: a repository with one commit, secrets that git ignores, and a build folder. */
export const makeShop = (place: DemoPlace): void => {
  const put = (path: string, content: string, mode = 0o644): void => {
    mkdirSync(dirname(join(place.shop, path)), { recursive: true });
    writeFileSync(join(place.shop, path), content, { mode });
  };
  for (const [path, content] of Object.entries(FILES)) put(path, content);
  for (const [path, content] of Object.entries(UNCOMMITTED)) put(path, content, 0o600);
  const git = (...args: string[]): void =>
    void execFileSync('git', args, { cwd: place.shop, env: demoEnvironment(place), stdio: ['ignore', 'ignore', 'pipe'] });
  git('init', '-q', '-b', 'main');
  // Who commits here, whatever the person's own settings say of names, signing and hooks.
  for (const [key, value] of [
    ['user.name', 'Sam'],
    ['user.email', 'sam@shop.example'],
    ['commit.gpgSign', 'false'],
    ['core.hooksPath', '/dev/null'],
  ] as const) {
    git('config', key, value);
  }
  git('add', '-A');
  git('commit', '-qm', 'Begin the shop');
};
