import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { retakeIn } from '../support/cli.ts';
import { gitIn } from '../support/git.ts';
import { observeDirectory } from '../support/oracle.ts';
import { commitAll, put, repositoryScene, roundTrip } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const foreignRepository = (): string => {
  const foreign = temporaryDirectory();
  gitIn(foreign, 'init', '-q', '-b', 'foreign');
  put(foreign, 'foreign.txt', 'foreign');
  commitAll(foreign);
  return foreign;
};

const LEAKS: Record<string, (foreign: string) => Record<string, string>> = {
  'GIT_DIR and GIT_WORK_TREE': (foreign) => ({ GIT_DIR: join(foreign, '.git'), GIT_WORK_TREE: foreign }),
  GIT_INDEX_FILE: (foreign) => ({ GIT_INDEX_FILE: join(foreign, '.git/index') }),
  'GIT_OBJECT_DIRECTORY and alternates': (foreign) => ({
    GIT_OBJECT_DIRECTORY: join(foreign, '.git/objects'),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(foreign, '.git/objects'),
  }),
  'GIT_COMMON_DIR, GIT_NAMESPACE and GIT_CEILING_DIRECTORIES': (foreign) => ({
    GIT_COMMON_DIR: join(foreign, '.git'),
    GIT_NAMESPACE: 'other',
    GIT_CEILING_DIRECTORIES: '/',
  }),
  GIT_CONFIG_COUNT: (foreign) => ({
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'core.excludesFile',
    GIT_CONFIG_VALUE_0: join(foreign, 'everything'),
    GIT_CONFIG_KEY_1: 'core.worktree',
    GIT_CONFIG_VALUE_1: foreign,
  }),
  GIT_CONFIG_PARAMETERS: (foreign) => ({ GIT_CONFIG_PARAMETERS: `'core.excludesFile=${join(foreign, 'everything')}' 'core.bare=true'` }),
  'GIT_CONFIG, GIT_TRACE and GIT_DEFAULT_HASH': (foreign) => ({
    GIT_CONFIG: join(foreign, 'config'),
    GIT_CONFIG_GLOBAL: join(foreign, 'config'),
    GIT_TRACE: join(foreign, 'trace'),
    GIT_TRACE2: join(foreign, 'trace2'),
    GIT_DEFAULT_HASH: 'sha256',
    GIT_TEMPLATE_DIR: foreign,
    GIT_EXEC_PATH: foreign,
  }),
};

test.each(Object.keys(LEAKS))('[CAP-10] %s in the environment changes nothing, and nothing of ours lands there', (name) => {
  const foreign = foreignRepository();
  put(foreign, 'everything', '*\n');
  put(foreign, 'config', `[core]\n\texcludesFile = ${join(foreign, 'everything')}\n`);
  const at = repositoryScene();
  put(at.workspace, '.gitignore', 'ignored\n');
  put(at.workspace, 'ignored', 'i');
  put(at.workspace, 'src/a.txt', 'a');
  mkdirSync(join(at.workspace, 'empty'));
  commitAll(at.workspace);
  const untouched = observeDirectory(foreign, { mtimes: true });
  const { tree } = at.retake.json(at.workspace, 'checkpoint');

  const leaking = { workspace: at.workspace, retake: retakeIn(temporaryDirectory(), LEAKS[name]?.(foreign)) };
  const checkpoint = roundTrip(leaking, { git: join(at.workspace, '.git'), without: (path) => path === 'ignored' });
  expect(checkpoint).toMatchObject({ tree, status: 'complete' });
  leaking.retake.json(at.workspace, 'gc');
  expect(observeDirectory(foreign, { mtimes: true })).toEqual(untouched);
});
