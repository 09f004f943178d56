import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { play } from './play.ts';
import { alone, BOTTOM, edit, file, TOP, text, type Work } from './works.ts';

const start = file('f', text());
const rename: Work = (root) => renameSync(join(root, 'f'), join(root, 'g'));

const played = (agent: Work, mine: Work) => play(start, { agent, mine });

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
    await goBack('t1');
    expect(at.look()).toEqual(alone(start, edit('f', BOTTOM)));
    await at.undo();
    expect(at.look()).toEqual(now);
  }
});

test('[RST-9] a file that the agent edited and the person renamed since keeps its name, and nothing is lost', async () => {
  const at = await played(edit('f', BOTTOM), rename);
  const now = at.look();
  await at.revert('t1');
  expect(at.look()).toEqual(alone(start, rename));
  await at.undo();
  expect(at.look()).toEqual(now);
});

test('[RST-9] a file that the agent renamed and edited, and the person edited elsewhere, has its name again with the edit of the person', async () => {
  const at = await played(
    (root) => {
      rename(root);
      edit('g', TOP)(root);
    },
    edit('g', BOTTOM),
  );
  await at.revert('t1');
  expect(at.look()).toEqual(alone(start, edit('f', BOTTOM)));
});
