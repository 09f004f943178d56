/** What the agent of the story writes. Tests among it are really run, and pass. */

export const TAX = `import type { Product } from './catalogue.ts';

const RATES = { goods: 0.19, book: 0.07 } as const;

/** The value added tax on a net price, in cents. */
export const vat = ({ kind }: Product, net: number): number => net * RATES[kind];
`;

export const CART_TOTAL = `  total(): number {
    return this.lines.reduce((sum, { product, quantity }) => sum + product.price * quantity, 0);
  }
`;

export const CART_TAXED = `  net(): number {
    return this.lines.reduce((sum, { product, quantity }) => sum + product.price * quantity, 0);
  }

  tax(): number {
    return this.lines.reduce((sum, { product, quantity }) => sum + vat(product, product.price * quantity), 0);
  }

  total(): number {
    return this.net() + this.tax();
  }
`;

export const TAX_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COOKBOOK, TEAPOT } from '../src/catalogue.ts';
import { vat } from '../src/tax.ts';

test('goods are taxed with 19 %', () => assert.equal(vat(TEAPOT, 10_000), 1900));
test('books are taxed with 7 %', () => assert.equal(Math.round(vat(COOKBOOK, 10_000)), 700));
`;

export const CART_TEST = `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Cart } from '../src/cart.ts';
import * as catalogue from '../src/catalogue.ts';

const orders = readFileSync(new URL('orders.csv', import.meta.url), 'utf8').trim().split('\\n');

for (const order of orders) {
  const [product = '', quantity, net] = order.split(',');
  test(\`\${quantity} of \${product}\`, () => {
    const cart = new Cart();
    cart.add(catalogue[product as keyof typeof catalogue], Number(quantity));
    assert.equal(cart.net(), Number(net));
    assert.ok(cart.total() > cart.net());
  });
}
`;

export const ORDERS = "printf 'TEAPOT,1,2496\\nSENCHA,3,3480\\n' > test/orders.csv";

export const RECEIPT = `import type { Cart } from './cart.ts';
import { vat } from './tax.ts';

const euros = (cents: number): string => (cents / 100).toFixed(2).padStart(9);

/** What the customer gets on paper. */
export const receipt = ({ lines }: Cart): string => {
  let total = 0;
  const rows = lines.map(({ product, quantity }) => {
    const net = product.price * quantity;
    const gross = net + vat(product, net);
    total += gross;
    return \`\${String(quantity).padStart(3)}  \${product.name.padEnd(16)}\${euros(gross)}\`;
  });
  return [...rows, \`     \${'Total'.padEnd(16)}\${euros(total)}\`].join('\\n');
};
`;

export const MAIN_PRINT = `import { euros } from './print.ts';
`;
export const MAIN_TOTAL = `console.log(\`Total: \${euros(cart.total())}\`);`;
export const MAIN_RECEIPT = `import { receipt } from './receipt.ts';
`;

/** One of two ways to round, */
export const EACH_LINE = `    const gross = Math.round(net + vat(product, net));
`;
/** and the other one. */
export const ANY_LINE = `    const gross = net + vat(product, net);
`;
export const RETURN_ROWS = `  return [...rows, \`     \${'Total'.padEnd(16)}\${euros(total)}\`].join('\\n');
`;
export const RETURN_ROUNDED = `  // Once, at the end: cents that are lost on each line add up.
  const due = Math.round(total);
  return [...rows, \`     \${'Total'.padEnd(16)}\${euros(due)}\`].join('\\n');
`;

export const receiptTest = (title: string, total: string): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cart } from '../src/cart.ts';
import { COOKBOOK, SENCHA, TEAPOT } from '../src/catalogue.ts';
import { receipt } from '../src/receipt.ts';

test('${title}', () => {
  const cart = new Cart();
  for (const product of [TEAPOT, SENCHA, COOKBOOK]) cart.add(product);
  assert.match(receipt(cart), /Total +${total.replace('.', '\\.')}$/);
});
`;
