import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gatherReport, renderReport } from '../../src/engine/index.ts';
import { stage } from '../attribution/stage.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { put } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { EVIL_PROMPT, IMAGE_NAME, playHostile, SECRET, TURNED_NAME } from './hostile-session.ts';

interface Counted {
  readonly id: string;
  readonly files: unknown;
}

test('[STO-4] Markdown holds prompts and diffs in fences that they can not leave, and counts what the log counts', async () => {
  const { at, session } = await playHostile();
  const before = observeWorkspace(at.workspace);
  const { stdout } = at.retake.run(at.workspace, 'report', session.id.slice(0, 8));
  const outside = withoutFences(stdout);
  expect(stdout).toContain(`\`\`\`\`\`text\n${EVIL_PROMPT}\n\`\`\`\`\`\n`);
  expect(stdout).toContain('``````diff\n@@ -0,0 +1,3 @@\n+`````\n+```\n+still inside\n``````\n');
  const [title = '', ...rest] = outside.split('\n');
  expect(title).toContain('# \\</blockquote\\>\\<script src=');
  expect(rest.join('\n')).not.toMatch(/evil\.example|not a heading|still inside/);
  expect(outside).toContain(`\`${IMAGE_NAME}\` added +3 −0`);
  expect(outside).toContain('`photo-⟨U+202E⟩gnp.exe`');
  expect(stdout).not.toContain(TURNED_NAME);
  expect(stdout).not.toContain(SECRET);
  expect(outside).toContain('- `.env.local`: its content is not to leave');
  expect(outside).toContain('`notes.md`');

  const report = at.retake.json(at.workspace, 'report', session.id);
  const log: Counted[] = at.retake.json(at.workspace, 'log', '--session', session.id).operations;
  const told: Counted[] = report.turns.flatMap((turn: { happenings: Counted[] }) => turn.happenings);
  expect(told).toHaveLength(8);
  for (const { id, files } of told) expect(files).toEqual(log.find((one) => one.id === id)?.files);
  expect(report.counts).toEqual({ turns: 2, steps: 7, rollbacks: 0 });
  expect(report.files.map(({ path }: { path: string }) => path)).not.toContain('notes.md');
  expect(observeWorkspace(at.workspace)).toEqual(before);
});

/** What stands outside of fences, as CommonMark reads them. */
const withoutFences = (markdown: string): string => {
  let fence = '';
  const outside: string[] = [];
  for (const line of markdown.split('\n')) {
    const marks = /^ {0,3}(`{3,})([^`]*)$/.exec(line);
    if (fence === '' && marks !== null) fence = marks[1] ?? '';
    else if (fence !== '' && marks !== null && (marks[1] ?? '').length >= fence.length && marks[2]?.trim() === '') fence = '';
    else if (fence === '') outside.push(line);
  }
  expect(fence).toBe('');
  return outside.join('\n');
};

test('[STO-4] a file is written whole, over no other one unless that is wanted', async () => {
  const { at, session } = await playHostile();
  const directory = temporaryDirectory();
  const file = join(directory, 'report.md');
  const report = (...args: string[]) => at.retake.run(at.workspace, 'report', session.id, '--output', file, ...args);
  writeFileSync(file, 'mine');
  expect(report()).toMatchObject({ code: 1, stderr: expect.stringContaining('is there already') });
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(report('--force').code).toBe(0);
  expect(readFileSync(file, 'utf8')).toContain('## Left out');
  expect(readdirSync(directory)).toEqual(['report.md']);
  // As everything else that is named, from the directory that -C gives.
  const elsewhere = at.retake.json(directory, '-C', at.workspace, 'report', session.id, '--output', 'own.md');
  expect(elsewhere.output).toBe(join(at.workspace, 'own.md'));
  expect(readFileSync(elsewhere.output, 'utf8')).toContain('## Left out');
  expect(at.retake.run(at.workspace, 'report', session.id, '--force').code).toBe(2);
  const nowhere = at.retake.run(at.workspace, 'report', session.id, '--output', join(file, 'no/report.md'), '--json');
  expect(nowhere).toMatchObject({ code: 1, json: { error: { code: 'no-such-file', hint: expect.stringContaining('--output') } } });
  expect(nowhere.json.error.message).toBe(`There is no directory ${join(file, 'no')}; nothing was written`);
  expect(at.retake.run(at.workspace, 'report', 'nobody')).toMatchObject({ code: 1, stderr: expect.stringContaining('no session') });

  // Without the conversation the first lines of the prompts are known.
  rmSync(session.path);
  const { stdout } = at.retake.run(at.workspace, 'report', session.id);
  expect(stdout).toContain('The conversation');
  expect(stdout).toContain('second <b>turn</b>');
  expect(existsSync(session.path)).toBe(false);
});

describe('[STO-4] [RST-10] whose a change is', () => {
  test('what others did is told apart, and where it is shared the report says so', async () => {
    const at = await stage((root) => put(root, 'shared.txt', 'a\nb\nc\nd\ne\n'));
    const [one, two] = [at.actor('one'), at.actor('two')];
    await one.start();
    await one.prompt('first');
    await one.step(() => put(at.root, 'shared.txt', 'A\nb\nc\nd\ne\n'), { file: 'shared.txt' });
    put(at.root, 'shared.txt', 'A\nb\nc\nd\nmine\n');
    await two.start();
    await two.prompt('beside');
    const endTwo = await two.begin();
    await one.step(() => put(at.root, 'joint.txt', 'who\n'), {});
    await endTwo();
    await one.end();
    const report = await gatherReport(at.workspace, 'one');
    const files = report.files.map(({ path, insertions, deletions, shared }) => ({ path, insertions, deletions, shared }));
    expect(files).toEqual([
      { path: 'joint.txt', insertions: 1, deletions: 0, shared: { sessions: ['two'], others: false } },
      { path: 'shared.txt', insertions: 1, deletions: 1, shared: { sessions: [], others: true } },
    ]);
    const markdown = [...renderReport(report, 'markdown')].join('');
    expect(markdown).toContain('shared with session two');
    expect(markdown).toContain('also changed by other hands');
    expect(markdown).not.toContain('+mine');
  });

  test('what was rolled back is shown in its turn, and is no part of what changed overall', async () => {
    const at = await stage((root) => put(root, 'a.txt', 'a\n'));
    const actor = at.actor('s');
    await actor.start();
    await actor.prompt('keep this');
    await actor.step(() => put(at.root, 'kept.txt', 'kept\n'));
    const second = await actor.prompt('and this not');
    await actor.step(() => put(at.root, 'gone.txt', 'gone\n'));
    await at.rewind(second.id);
    await actor.prompt('last');
    await actor.step(() => put(at.root, 'a.txt', 'b\n'));
    const report = await gatherReport(at.workspace, 's');
    expect(report.files.map(({ path }) => path)).toEqual(['a.txt', 'kept.txt']);
    expect(report.counts).toEqual({ turns: 3, steps: 3, rollbacks: 1 });
    expect(report.turns.map(({ rolledBack, files }) => [rolledBack, files.map(({ path }) => path)])).toEqual([
      [null, ['kept.txt']],
      ['code', ['gone.txt']],
      [null, ['a.txt']],
    ]);
    expect(report.turns[1]?.happenings.map(({ is, entry }) => `${is} ${entry.operation.kind}`)).toEqual([
      'step after-step',
      'moment rollback',
    ]);
  });
});

test('[STO-4] a session with a thousand files makes a page that is cut and says where, and takes no more memory than its longest diff', async () => {
  const at = await stage();
  const actor = at.actor('large');
  await actor.start();
  await actor.prompt('many');
  const content = (file: number): string => Array.from({ length: 100 }, (_, line) => `${file} ${line} ${'x'.repeat(200)}\n`).join('');
  await actor.step(() => {
    for (let file = 0; file < 1000; file++) put(at.root, `dir${file % 10}/file${file}.txt`, content(file));
  });
  const report = await gatherReport(at.workspace, 'large');
  expect(report.files).toHaveLength(1000);
  let [longest, total, lines] = [0, 0, 0];
  for (const piece of renderReport(report, 'html')) {
    longest = Math.max(longest, piece.length);
    total += piece.length;
    lines += piece.startsWith('<span class="a"') ? 1 : 0;
  }
  expect(lines).toBe(20_000);
  // All diffs together would be 20 MB. The longest piece is the list at the end.
  expect(total).toBeLessThan(8_000_000);
  expect(longest).toBeLessThan(200_000);
  const markdown = [...renderReport(report, 'markdown')].join('');
  expect(markdown).toContain('the report shows 20000 lines of diffs at most');
});
