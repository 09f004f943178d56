import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { play } from './play.ts';
import { refused } from './stage.ts';
import { all, alone, edit, file, gone, link, mode, text, type Work } from './works.ts';

/** The agent's work, and the person's on top of it, which can not both be had. */
interface Clash {
  readonly start: Work;
  readonly agent: Work;
  readonly mine: Work;
  /** `path reason`. */
  readonly conflict: string;
  /** What the person chose to lose their work for: as it was before the agent. */
  readonly theirs: readonly Work[];
  /** The file with markers, where there can be one. */
  readonly marked?: string;
}

const three = (content: string): Work => edit('f', (old) => old.replace(/^three.*$/m, content));

const CLASHES: Readonly<Record<string, Clash>> = {
  'the same line': {
    start: file('f', text()),
    agent: three('three by the agent'),
    mine: three('three by me'),
    conflict: 'f both-changed',
    theirs: [file('f', text())],
    marked: text().replace(
      'three',
      '<<<<<<< now\nthree by me\n||||||| with first\nthree by the agent\n=======\nthree\n>>>>>>> without first',
    ),
  },
  'the next line': {
    start: file('f', text()),
    agent: three('three by the agent'),
    mine: edit('f', (old) => old.replace('four', 'four by me')),
    conflict: 'f both-changed',
    theirs: [file('f', text())],
    marked: text().replace(
      'three\nfour',
      '<<<<<<< now\nthree by the agent\nfour by me\n||||||| with first\nthree by the agent\nfour\n=======\nthree\nfour\n>>>>>>> without first',
    ),
  },
  'a file of one line': {
    start: file('f', 'one'),
    agent: file('f', 'agent'),
    mine: file('f', 'mine'),
    conflict: 'f both-changed',
    theirs: [file('f', 'one')],
    marked: '<<<<<<< now\nmine\n||||||| with first\nagent\n=======\none\n>>>>>>> without first\n',
  },
  'an empty file filled': {
    start: file('f', ''),
    agent: file('f', 'agent\n'),
    mine: file('f', 'mine\n'),
    conflict: 'f both-changed',
    theirs: [file('f', '')],
    marked: '<<<<<<< now\nmine\n||||||| with first\nagent\n=======\n>>>>>>> without first\n',
  },
  'a new file that the person goes on with': {
    start: file('g', 'g'),
    agent: file('f', 'agent\n'),
    mine: file('f', 'agent\nmine\n'),
    conflict: 'f changed-and-deleted',
    theirs: [file('g', 'g')],
  },
  'a deleted file that the person made anew': {
    start: file('f', 'old\n'),
    agent: gone('f'),
    mine: file('f', 'new\n'),
    conflict: 'f both-added',
    theirs: [file('f', 'old\n')],
    marked: '<<<<<<< now\nnew\n||||||| with first\n=======\nold\n>>>>>>> without first\n',
  },
  'a changed file that the person deleted': {
    start: file('f', text()),
    agent: three('agent'),
    mine: gone('f'),
    conflict: 'f changed-and-deleted',
    theirs: [file('f', text())],
  },
  binary: {
    start: file('f', '\0one\n\n\nsix'),
    agent: file('f', '\0ONE\n\n\nsix'),
    mine: file('f', '\0ONE\n\n\nSIX'),
    conflict: 'f binary',
    theirs: [file('f', '\0one\n\n\nsix')],
  },
  'permission bits': {
    start: file('f', text(), 0o644),
    agent: mode('f', 0o755),
    mine: mode('f', 0o600),
    conflict: 'f permissions',
    theirs: [file('f', text(), 0o644)],
    marked: text(),
  },
  'a link led elsewhere twice': {
    start: link('f', 'a'),
    agent: link('f', 'b'),
    mine: link('f', 'c'),
    conflict: 'f both-changed',
    theirs: [link('f', 'a')],
  },
  'a file made a link': {
    start: file('f', text()),
    agent: three('agent'),
    mine: link('f', 'g'),
    conflict: 'f type',
    theirs: [file('f', text())],
  },
  'a directory in place of a file, which the person put something into': {
    start: file('d', 'd'),
    agent: all(gone('d'), file('d/f', 'agent')),
    mine: file('d/g', 'mine'),
    conflict: 'd directory-in-the-way',
    theirs: [file('d', 'd')],
  },
};

describe.each(Object.entries(CLASHES))('%s', (_, { start, agent, mine, conflict, theirs, marked }) => {
  test('[RST-9] [RST-10] nothing is written until it is chosen, and then what is chosen', async () => {
    const at = await play(start, { agent, mine });
    const now = at.look();
    for (const goBack of [at.revert.bind(at), at.keepMine.bind(at)]) {
      expect(await refused(goBack('t1'))).toEqual({ code: 'conflicts', conflicts: [conflict] });
      expect(at.look()).toEqual(now);
      for (const choice of ['ours', 'skip'] as const) {
        expect((await goBack('t1', choice)).rollback).toBeNull();
        expect(at.look()).toEqual(now);
      }
      await goBack('t1', 'theirs');
      expect(at.look()).toEqual(alone(...theirs));
      await at.undo();
      expect(at.look()).toEqual(now);
    }
    if (marked === undefined) expect(await refused(at.revert('t1', 'manual'))).toEqual({ code: 'conflicts', conflicts: [conflict] });
    else {
      const { rollback } = await at.revert('t1', 'manual');
      expect(readFileSync(join(at.root, 'f'), 'utf8')).toBe(marked);
      if (rollback !== null) await at.undo();
    }
    expect(at.look()).toEqual(now);
  });
});
