import { expect, test } from 'vitest';
import { put } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { type Lab, lab } from './lab.ts';
import { recordsOf } from './records.ts';
import { bash, call, edit, type Script, say, write } from './script.ts';

const ROUNDS = 8;
const PROMPT = 'change the file many times';

const script = (workspace: string): Script => ({
  [PROMPT]: [
    call(write(`${workspace}/file.txt`, 'line 0\n')),
    ...Array.from({ length: ROUNDS }, (_, round) => [
      call(edit(`${workspace}/file.txt`, `line ${round}`, `line ${round + 1}`)),
      call(bash(`echo ${round} > made-${round}`)),
    ]).flat(),
    say('done'),
  ],
});

/** Milliseconds from one answer of the model to the next question: a tool, and the hooks around it. */
const betweenRequests = async ({ client, model }: Lab): Promise<number[]> => {
  expect(await client.print(PROMPT)).toMatchObject({ code: 0, stdout: 'done\n' });
  const times = model.requests.filter(({ place }) => place?.prompt === PROMPT).map(({ at }) => at);
  return times.slice(1).map((time, index) => time - (times[index] ?? time));
};

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Printed, not judged: how fast a machine is today says nothing about the program. */
test('[AGT-1] what hooks add to a tool call', async () => {
  const nothing = put(temporaryDirectory(), 'nothing.cjs');
  const bare = await lab(script, { hooks: 'none' });
  const idle = await lab(script, { hooks: { script: nothing } });
  const hooked = await lab(script);
  hooked.retake.json(hooked.workspace, 'daemon', 'start');
  const none = median(await betweenRequests(bare));
  const empty = median(await betweenRequests(idle));
  const ours = median(await betweenRequests(hooked));
  expect(recordsOf(hooked).filter(({ kind }) => kind === 'after-step')).toHaveLength(1 + 2 * ROUNDS);
  const compare = (than: number): string => `${(ours - than).toFixed(0)} ms more, ${(ours / than).toFixed(2)} times`;
  console.log(`a tool call with its two hooks took ${ours.toFixed(0)} ms; without hooks ${none.toFixed(0)} ms (${compare(none)})`);
  console.log(`with hooks that only start node ${empty.toFixed(0)} ms (${compare(empty)})`);
});
