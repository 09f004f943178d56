import { expect, test } from 'vitest';
import { asText, digest } from '../../src/transcript/index.ts';
import { call, genuinePath, open, prompt, reply, result, said, session } from './support.ts';

test('[CNV-4] a digest tells prompts, files changed, commands and answers', () => {
  expect(digest(open(genuinePath('rewind')).current)).toBe(
    [
      'Asked:\n- add a cart\n- go to checkout instead\n- add tax, but three\n- do three things at once',
      'Files changed:\n- /home/dev/shop/cart.ts\n- /home/dev/shop/checkout.ts\n- /home/dev/shop/tax.ts\n- /home/dev/shop/p1.ts\n- /home/dev/shop/p2.ts',
      'Commands:\n- echo 3 > p3.txt → (Bash completed with no output)',
      'Answered:\n- Adding the cart.\n- Cart added.\n- Branch A: checkout.\n- Branch A.1: tax again.\n- Three at once.',
    ].join('\n\n'),
  );
});

test('[CNV-4] a digest says what failed, counts no failed edit as a change, and takes an earlier summary over', () => {
  const failed = result('r', 'a', 'c');
  const { message } = failed as { message: { content: Record<string, unknown>[] } };
  const text = digest(
    session([
      prompt('s', null, 'Before: a cart.', { isCompactSummary: true }),
      prompt('p', 's', `long ${'word '.repeat(200)}`),
      reply('a', 'p', 'm', call('c', 'Edit', { file_path: '/x' })),
      { ...failed, message: { ...message, content: [{ ...message.content[0], is_error: true, content: 'not\nfound' }] } },
    ]).current,
  );
  expect(text).toContain('Earlier summary:\n- Before: a cart.');
  expect(text).toContain('Failed:\n- Edit: not found');
  expect(text).not.toContain('Files changed');
  expect(text.split('\n').every((line) => line.length <= 310)).toBe(true);
});

test('[CNV-4] what a summarizing command gets is the whole conversation in words, with long results cut', () => {
  const text = asText(
    session([
      prompt('p', null, 'please'),
      reply('a', 'p', 'm', said('I look.'), call('c', 'Bash', { command: 'ls' }), call('d', 'Bash', { command: 'pwd' })),
      result('r', 'a', 'c', 'z'.repeat(10_000)),
    ]).current,
  );
  expect(text).toContain('## User\nplease\n');
  expect(text).toContain('## Assistant\nI look.\n\n### Bash {"command":"ls"}\nResult: zzz');
  expect(text).toContain('[… 6000 more characters]');
  expect(text).toContain('### Bash {"command":"pwd"}\n(no result)');
});
