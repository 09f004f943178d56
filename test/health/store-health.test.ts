import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { checkHealthDaily, type Health, Workspace } from '../../src/engine/index.ts';
import { PlayedSession } from '../conversation/played-session.ts';
import { daemonScene, until } from '../daemon/support.ts';
import { observeDirectory } from '../support/oracle.ts';
import { dataOf, put, type Scene, scene, storeOf } from '../support/scene.ts';

const health = ({ workspace, retake }: Scene): Health => retake.json(workspace, 'health');

const recorded = (): Scene => {
  const at = scene();
  for (let file = 0; file < 5; file++) put(at.workspace, `file${file}`, `content ${file}`);
  at.retake.json(at.workspace, 'checkpoint');
  return at;
};

/** Removes every loose object: damage that `check` finds. */
const breakStore = (at: Scene): void => {
  const objects = join(storeOf(at), 'objects');
  const folders = readdirSync(objects).filter((name) => /^[0-9a-f]{2}$/.test(name));
  for (const folder of folders) for (const name of readdirSync(join(objects, folder))) rmSync(join(objects, folder, name));
};

describe('[STO-3] the health of the store', () => {
  test('tells its size, and when it was packed and read last; looking changes nothing in it', () => {
    const at = recorded();
    expect(health(at).store).toMatchObject({ verdict: 'good', concerns: [], lastGc: null, lastCheck: null });
    const loose = health(at).store?.size.looseObjects ?? 0;
    expect(loose).toBeGreaterThan(5);
    at.retake.json(at.workspace, 'gc');
    const before = observeDirectory(storeOf(at), { mtimes: true });
    const { store } = health(at);
    expect(store).toMatchObject({ size: { packs: 1, looseObjects: 0 }, lastCheck: { problem: null } });
    expect(store?.lastGc).not.toBeNull();
    expect(store?.size.bytes).toBeGreaterThan(0);
    expect(observeDirectory(storeOf(at), { mtimes: true })).toEqual(before);
    expect(at.retake.run(at.workspace, 'health').stdout).toMatch(/^The store: good$[\s\S]*last check .*all was well/m);
  });

  test('is critical when what looks after it found a problem', () => {
    const at = recorded();
    at.retake.json(at.workspace, 'gc');
    put(at.workspace, 'file1', 'another');
    at.retake.json(at.workspace, 'checkpoint');
    breakStore(at);
    at.retake.run(at.workspace, 'gc');
    const { store } = health(at);
    expect(store?.verdict).toBe('critical');
    expect(store?.concerns.map(({ command }) => command)).toContain('retake check');
    expect(store?.lastCheck?.problem).toMatch(/damaged/);
  });
});

describe('[STO-3] looked at daily', () => {
  test('by the background process, and status is silent when all is well', async () => {
    const at = daemonScene({ RETAKE_HOOK_DEADLINE_MS: '60000' });
    put(at.workspace, 'file', 'one');
    const session = new PlayedSession(at);
    await session.start();
    await until(() => at.retake.json(at.workspace, 'status').storeHealth !== null);
    expect(at.retake.json(at.workspace, 'status').storeHealth).toMatchObject({ verdict: 'good', concerns: [] });
    expect(at.retake.run(at.workspace, 'status').stdout).not.toMatch(/^Store +(good|warning|critical)/m);
  });

  test('not more often; status tells what is wrong, and a torn memo counts as none', async () => {
    const at = recorded();
    for (const name of ['HOME', 'XDG_CONFIG_HOME', 'RETAKE_HOME']) vi.stubEnv(name, at.retake.env[name]);
    onTestFinished(() => void vi.unstubAllEnvs());
    const workspace = await Workspace.open({ directory: at.workspace });
    onTestFinished(() => workspace.close());
    const concerns = [{ verdict: 'warning', reason: 'made up', command: null }];
    const verdictAfter = async (hoursAgo: number): Promise<string> => {
      const checkedAt = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
      put(dataOf(at), 'store-health.json', JSON.stringify({ verdict: 'warning', checkedAt, concerns }));
      await checkHealthDaily(workspace);
      return at.retake.json(at.workspace, 'status').storeHealth.verdict;
    };
    expect(await verdictAfter(23)).toBe('warning');
    expect(at.retake.run(at.workspace, 'status').stdout).toMatch(/^Store {7}warning: made up; retake health tells more$/m);
    expect(await verdictAfter(25)).toBe('good');
    put(dataOf(at), 'store-health.json', '{"verdict":');
    expect(at.retake.json(at.workspace, 'status').storeHealth).toBeNull();
  });
});
