import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refused, stage } from './stage.ts';
import { alone, BOTTOM, edit, file, text, type Work } from './works.ts';

/** While renames are not looked for, a renamed file is one deleted and one added: an edit of it is a conflict, and not lost. */
const start = file('f', text());
const rename: Work = (root) => renameSync(join(root, 'f'), join(root, 'g'));

const played = async (agent: Work, mine: Work) => {
  const at = await stage(start);
  const actor = at.actor('s');
  await actor.start();
  await actor.prompt('first');
  await actor.step(() => agent(at.root));
  mine(at.root);
  return at;
};

test('[RST-9] a file that the agent renamed and the person did not touch has its name again', async () => {
  const at = await played(rename, file('h', 'mine'));
  const now = at.look();
  await at.revert('t1');
  expect(at.look()).toEqual(alone(start, file('h', 'mine')));
  await at.undo();
  expect(at.look()).toEqual(now);
});

test('[RST-9] [RST-10] a file that the agent renamed and the person edited since: nothing of the edit is lost', async () => {
  const at = await played(rename, edit('g', BOTTOM));
  const now = at.look();
  for (const goBack of [at.revert.bind(at), at.keepMine.bind(at)]) {
    const refusal = await refused(goBack('t1'));
    if (refusal !== null) {
      expect(refusal).toEqual({ code: 'conflicts', conflicts: ['g changed-and-deleted'] });
      expect(at.look()).toEqual(now);
      continue;
    }
    expect(at.look()).toEqual(alone(start, edit('f', BOTTOM)));
    await at.undo();
    expect(at.look()).toEqual(now);
  }
});

test('[RST-9] a file that the agent edited and the person renamed since keeps its name, and nothing is lost', async () => {
  const at = await played(edit('f', BOTTOM), rename);
  const now = at.look();
  const refusal = await refused(at.revert('t1'));
  if (refusal === null) expect(readFileSync(join(at.root, 'g'), 'utf8')).toBe(text());
  else {
    expect(refusal).toEqual({ code: 'conflicts', conflicts: ['f changed-and-deleted'] });
    expect(at.look()).toEqual(now);
  }
});
