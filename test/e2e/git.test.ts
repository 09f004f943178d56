import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assertSound, forgetUnreachable, standing } from '../git-state/support.ts';
import { gitIn } from '../support/git.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { commitAll, put } from '../support/scene.ts';
import { type Lab, lab } from './lab.ts';
import { bash, call, edit, say, write } from './script.ts';

/** A repository with one commit. */
const makeRepository = ({ workspace }: Lab): void => {
  gitIn(workspace, 'init', '-q', '-b', 'main');
  put(workspace, 'cart.txt', 'one\ntwo\nthree\nfour\nfive\n');
  put(workspace, 'notes.txt', 'notes\n');
  commitAll(workspace, 'before the session');
};

describe("the agent and the user's git", () => {
  test('[GIT-2] [GIT-8] the agent commits twice and resets hard: back to before with git, and forth again, both exact', async () => {
    const at = await lab((workspace) => ({
      'commit and reset': [
        call(write(`${workspace}/new.txt`, 'new\n')),
        call(bash('git add -A && git commit -qm "by the agent, first"')),
        call(bash('echo more >> new.txt && git commit -qam "by the agent, second"')),
        call(bash('git reset -q --hard HEAD~1')),
        say('committed and reset'),
      ],
    }));
    const { workspace, retake } = at;
    makeRepository(at);
    put(workspace, 'notes.txt', 'staged\n');
    gitIn(workspace, 'add', 'notes.txt');
    put(workspace, 'notes.txt', 'not staged\n');
    const before = {
      git: standing(workspace),
      files: observeWorkspace(workspace),
      log: gitIn(workspace, 'log', '--all', '--format=fuller'),
    };
    await at.client.talk(['commit and reset']);
    const after = {
      git: standing(workspace),
      files: observeWorkspace(workspace),
      log: gitIn(workspace, 'log', '--all', '--format=fuller'),
    };
    const news = retake.json(workspace, 'log').operations.flatMap(({ git }: { git: { news: string[] } | null }) => git?.news ?? []);
    expect(news.reverse().map((line: string) => line.replaceAll(/[0-9a-f]{10}/g, 'ID'))).toEqual([
      'git commit ID by the agent, first',
      'git commit ID by the agent, second',
      'git reset to ID',
    ]);

    const plan = retake.json(workspace, 'rewind', 't1', '--git', '--dry-run');
    expect(plan.git).toMatchObject({ commitsLeftBehind: 1, to: { branch: 'main' }, staged: { to: 1 } });
    retake.json(workspace, 'rewind', 't1', '--git', '--yes');
    const now = () => ({
      git: standing(workspace),
      files: observeWorkspace(workspace),
      log: gitIn(workspace, 'log', '--all', '--format=fuller'),
    });
    expect(now()).toEqual(before);
    assertSound(workspace);
    forgetUnreachable(workspace);
    retake.json(workspace, 'undo', '--yes');
    expect(now()).toEqual(after);
    assertSound(workspace);
  });

  test("[GIT-3] [GIT-4] keep: one commit per turn, or one for all, without the person's own edits", async () => {
    const kept = async (mode: string): Promise<string> => {
      const at = await lab((workspace) => ({
        'Make the cart better\n\nAnd tell how.': [
          call(edit(`${workspace}/cart.txt`, 'one', 'ONE')),
          { ...call(bash('echo how > how.txt')), meanwhile: () => writeFileSync(join(workspace, 'notes.txt'), "the person's\n") },
          say('better now'),
        ],
        'and the end of it': [call(edit(`${workspace}/cart.txt`, 'five', 'FIVE')), say('ended')],
      }));
      makeRepository(at);
      await at.client.talk(['Make the cart better\n\nAnd tell how.', 'and the end of it']);
      expect(at.retake.json(at.workspace, 'sessions').sessions[0]).toMatchObject({ status: 'active' });
      at.retake.json(at.workspace, 'keep', mode, '--yes');
      expect(at.retake.json(at.workspace, 'sessions').sessions[0]).toMatchObject({ status: 'kept' });
      expect(gitIn(at.workspace, 'status', '--porcelain')).toBe(' M notes.txt\n');
      expect(gitIn(at.workspace, 'show', 'HEAD:cart.txt')).toBe('ONE\ntwo\nthree\nfour\nFIVE\n');
      assertSound(at.workspace);
      return gitIn(at.workspace, 'log', '--format=%an <%ae>%n%B', 'HEAD');
    };
    const each = await kept('--each');
    expect(each.match(/^Make the cart better$/gm)).toHaveLength(1);
    expect(each.match(/^and the end of it$/gm)).toHaveLength(1);
    expect(each.match(/^Session: /gm)).toHaveLength(2);
    const squashed = await kept('--squash');
    expect(squashed.match(/^Session: /gm)).toHaveLength(1);
    for (const log of [each, squashed]) {
      expect(log).toMatch(/^Test <test@example.invalid>$/m);
      expect(log).toMatch(/^Agent: Claude Code$/m);
      expect(log).toMatch(/^Tool: Edit$/m);
      expect(log).toMatch(/^Tool: Bash$/m);
      expect(log).toMatch(/^Tool-Use-Id: \S+$/m);
      expect(log).toMatch(/^Checkpoint: [0-9a-f]{40}$/m);
    }
  });
});
