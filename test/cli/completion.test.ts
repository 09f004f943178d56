import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { wordsOf, writtenOut } from '../../src/cli/completion/shell-line.ts';
import { PlayedSession } from '../conversation/played-session.ts';
import { observeDirectory } from '../support/oracle.ts';
import { put, type Scene, scene } from '../support/scene.ts';
import { COMPLETERS, completedAndRun, haveShell, type ShellName } from './shells.ts';

const HOSTILE = `it's $(touch pwned) \`touch pwned\`; "q" & * <x> | \\yあ`;

const named = (...names: string[]): Scene => {
  const at = scene();
  for (const [number, name] of names.entries()) {
    put(at.workspace, 'file', `${number}`);
    at.retake.json(at.workspace, 'checkpoint', '--name', name);
  }
  return at;
};

const asked = (at: Scene, ...words: string[]): string[] => {
  const { stdout, stderr, code } = at.retake.run(at.workspace, '__complete', 'zsh', words.at(-1) ?? '', ...words.slice(0, -1));
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t', 1)[0] ?? '');
};

test('[UI-1] verbs, options and their values are offered where they can stand', () => {
  const at = scene();
  expect(asked(at, 'rew')).toEqual(['none', 'rewind']);
  expect(asked(at, 'daemon', 'st')).toEqual(['none', 'start', 'stop', 'status']);
  expect(asked(at, 'rewind', '--sc')).toEqual(['none', '--scope']);
  expect(asked(at, 'rewind', '--js')).toEqual(['none', '--json']);
  expect(asked(at, 'rewind', '--scope', '')).toEqual(['none', 'code', 'conversation', 'both']);
  expect(asked(at, 'rewind', '--scope=co')).toEqual(['none', '--scope=code', '--scope=conversation']);
  expect(asked(at, 'report', 'x', '--format', 'h')).toEqual(['none', 'html']);
  expect(asked(at, 'completion', '')).toEqual(['none', 'bash', 'zsh', 'fish']);
  expect(asked(at, 'setup', '')).toEqual(['none', 'claude-code']);
  expect(asked(at, 'settings', 'retention.d')).toEqual(['none', 'retention.days']);
  expect(asked(at, 'help', 'rewi')).toEqual(['none', 'rewind']);
  expect(asked(at, '-C', '')).toEqual(['directories']);
  expect(asked(at, 'blame', '')).toEqual(['files']);
  expect(asked(at, 'diff', 'x', '--path', 'a', '')).toEqual(['files']);
  expect(asked(at, 'undo', '--', '--y')).toEqual(['none']);
});

test('[UI-1] checkpoints are offered by name, turn and id, sessions by their ids, rollbacks and agents too', async () => {
  const at = named('before refactor');
  const { id } = at.retake.json(at.workspace, 'show', '@-1');
  const session = new PlayedSession(at);
  await session.start();
  await session.prompt('make it blue');
  await session.step('Write', { file_path: 'file' }, () => put(at.workspace, 'file', 'blue'));
  const { rollbackId } = at.retake.json(at.workspace, 'rewind', id, '--yes');
  expect(asked(at, 'show', '')).toEqual(expect.arrayContaining(['before refactor', 't1', '@-1']));
  expect(asked(at, 'show', id.slice(0, 4))).toContain(id.slice(0, 10));
  expect(asked(at, 'show', id.slice(0, 20))).toContain(id);
  expect(asked(at, 'log', '--session', session.id.slice(0, 6))).toEqual(['none', session.id]);
  expect(asked(at, 'undo', '')).toContain(rollbackId.slice(0, 10));
  expect(asked(at, 'revert', '')).toEqual(expect.arrayContaining(['t1', 'claude-code']));
  expect(asked(at, 'diff', '@-1', '--by', 't')).toEqual(expect.arrayContaining(['turn', 'turn=1']));
  expect(asked(at, 'switch', '')).toContain('@');
  // From elsewhere, as the line says.
  const elsewhere = { ...at, workspace: scene().workspace };
  expect(asked(elsewhere, '-C', at.workspace, 'show', 'before')).toEqual(['none', 'before refactor']);
});

test('[REL-6] being asked changes nothing, starts nothing, and is never loud, whatever is asked and wherever', () => {
  const at = named('one');
  const before = observeDirectory(at.retake.home, {});
  asked(at, 'show', '');
  expect(observeDirectory(at.retake.home, {})).toEqual(before);
  expect(readdirSync(at.retake.home)).not.toContain('daemon');
  const nowhere = scene();
  for (const words of [
    [''],
    ['show', ''],
    ['-C', '/nonexistent', 'show', ''],
    ['log', '--session'],
    ['nonsense', ''],
    ['rewind', '--', '-'],
  ]) {
    asked(nowhere, ...words);
  }
  for (const args of [[], ['ksh'], ['bash'], ['bash', '"', ''], ['bash', '\\', ''], ['bash', 'A=1 B=2', '']]) {
    expect(nowhere.retake.run(nowhere.workspace, '__complete', ...args)).toMatchObject({ code: 0, stderr: '' });
  }
  expect(readdirSync(nowhere.workspace)).toEqual([]);
});

test('[UI-1] a word is read as the shell reads it, and gone on with in the way it is quoted', () => {
  const meant = (line: string): string[] => wordsOf(line).map((word) => word.meant);
  expect(meant(`retake show a\\ b 'c d' "e \\"f\\"" g`)).toEqual(['retake', 'show', 'a b', 'c d', 'e "f"', 'g']);
  expect(meant('retake show ')).toEqual(['retake', 'show', '']);
  expect(meant(`retake show "it's`)).toEqual(['retake', 'show', "it's"]);
  const last = (line: string) => wordsOf(line).at(-1) as ReturnType<typeof wordsOf>[0];
  expect(writtenOut(last('x be'), 'before now')).toBe('before\\ now');
  expect(writtenOut(last("x 'be"), "be's")).toBe("'be'\\''s");
  expect(writtenOut(last('x "be'), 'be $x')).toBe('"be \\$x');
  expect(writtenOut(last('x a"b '), 'ab cd')).toBe('a"b cd');
});

/** How each shell has it after completing: bash what is put in place of the text, zsh the whole line, fish the words it offers. */
const WRITTEN: Readonly<Record<ShellName, (before: string, word: string, meant: string) => string>> = {
  bash: (_, word) => word,
  zsh: (before, word) => `retake ${before}${word} `,
  fish: (_before, _word, meant) => meant,
};

describe.each(['bash', 'zsh', 'fish'] as const)('in a real %s', (shell: ShellName) => {
  const isHere = haveShell(shell);
  const complete = COMPLETERS[shell];

  test.runIf(isHere)(`[UI-1] ${shell} completes a verb, an option, a value and a name`, () => {
    const at = named('before refactor', 'a:b=c@d');
    const written = WRITTEN[shell];
    expect(complete(at, 'retake checkp')).toEqual([written('', 'checkpoint', 'checkpoint')]);
    expect(complete(at, 'retake rewind --keep')).toEqual([written('rewind ', '--keep-mine', '--keep-mine')]);
    expect(complete(at, 'retake rewind --scope conv')).toEqual([written('rewind --scope ', 'conversation', 'conversation')]);
    expect(complete(at, 'retake show bef')).toEqual([written('show ', 'before\\ refactor', 'before refactor')]);
    expect(complete(at, 'retake show a:b')).toEqual([written('show ', shell === 'bash' ? 'b=c@d' : 'a:b=c@d', 'a:b=c@d')]);
  });

  test.runIf(isHere)(`[REL-6] a hostile name that ${shell} completes and runs is a name and nothing else`, () => {
    const at = named(HOSTILE);
    expect(JSON.parse(completedAndRun(at, shell, 'retake show it', '--json')).name).toBe(HOSTILE);
    expect(readdirSync(at.workspace)).toEqual(['file']);
  });
});
