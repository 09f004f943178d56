import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { serve } from './served.ts';

test('[API] settings: each with value, source and what is wanted; changed all or none', async () => {
  const { at, ask, faults } = serve(scene({ RETAKE_HOOK_DEADLINE_MS: '700' }));
  const file = join(at.retake.home, 'settings.json');
  const before = await ask('getSettings');
  expect(before).toMatchObject({ file, unknown: [] });
  expect(before.settings.find(({ key }) => key === 'export.exclude')).toMatchObject({ value: ['.env*'], from: 'default' });
  expect(before.settings.find(({ key }) => key === 'hook.deadlineMs')).toMatchObject({ value: 700, from: 'environment' });
  expect(existsSync(file)).toBe(false);

  const { settings } = await ask('changeSettings', { body: { changes: { 'retention.days': 7, 'record.skipTools': ['Read'] } } });
  expect(settings.find(({ key }) => key === 'retention.days')).toMatchObject({
    value: 7,
    default: 30,
    from: 'user',
    source: file,
    given: { user: 7, workspace: null },
  });
  const text = readFileSync(file, 'utf8');
  expect(JSON.parse(text)).toEqual({ 'retention.days': 7, 'record.skipTools': ['Read'] });

  const change = (changes: Record<string, number | string | null>) => ask('changeSettings', { body: { changes } });
  await expect(change({ 'retention.forkDays': 3, 'retention.days': 0 })).rejects.toMatchObject({
    status: 422,
    code: 'bad-setting',
    details: { key: 'retention.days' },
  });
  await expect(change({ 'retention.forkDays': 3, 'no.such': null })).rejects.toMatchObject({ status: 422, code: 'bad-setting' });
  await expect(change({ 'retention.forkDays': 3, 'hook.deadlineMs': 5 })).rejects.toMatchObject({
    status: 409,
    code: 'in-the-way',
    details: { variable: 'RETAKE_HOOK_DEADLINE_MS' },
  });
  expect(readFileSync(file, 'utf8')).toBe(text);

  await change({ 'retention.days': null, 'record.skipTools': null });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({});
  expect(faults).toEqual([]);
});

test.each([
  ['no changes', '{}'],
  ['something else besides', '{"changes": {}, "workspace": 1}'],
  ['a value of no kind that settings have', '{"changes": {"retention.days": {"a": 1}}}'],
  ['a list of other things', '{"changes": {"export.exclude": [[]]}}'],
  ['a key without end', JSON.stringify({ changes: { ['x'.repeat(101)]: 1 } })],
])('[API] a change of settings with %s is refused', async (_, body) => {
  const { signed, faults } = serve(scene());
  const response = await signed('/api/settings', { method: 'PUT', body, headers: { 'content-type': 'application/json' } });
  expect(response.status).toBe(400);
  expect(faults).toEqual([]);
});

test('[API] __proto__ among the changes reaches nothing', async () => {
  const { at, signed } = serve(scene());
  const body = '{"changes": {"__proto__": {"retention.forkDays": 1}, "retention.days": 9}}';
  const response = await signed('/api/settings', { method: 'PUT', body, headers: { 'content-type': 'application/json' } });
  expect(response.status).toBe(200);
  expect(readFileSync(join(at.retake.home, 'settings.json'), 'utf8')).toBe('{\n  "retention.days": 9\n}\n');
  expect(Object.hasOwn(Object.prototype, 'retention.forkDays')).toBe(false);
});

test('[API] settings that are wrong can be seen and corrected, though no workspace can be opened', async () => {
  const at = scene();
  mkdirSync(at.retake.home, { recursive: true });
  writeFileSync(join(at.retake.home, 'settings.json'), '{"retention.days": "many", "other": 1}');
  const { ask, faults } = serve(at);
  await expect(ask('listSessions')).rejects.toMatchObject({ status: 422, code: 'bad-setting' });
  const { settings, unknown } = await ask('getSettings');
  expect(unknown).toMatchObject([{ key: 'other', level: 'user' }]);
  expect(settings.find(({ key }) => key === 'retention.days')).toMatchObject({ value: null, problem: expect.any(String) });
  await ask('changeSettings', { body: { changes: { 'retention.days': 5, other: null } } });
  expect(await ask('listSessions')).toMatchObject({ sessions: [] });
  expect(faults).toEqual([]);
});

test('[SEC] a command that Retake runs is not set over HTTP', async () => {
  const at = scene();
  const { ask } = serve(at);
  const changes = { 'conversation.summarizer': 'touch pwned', 'retention.days': 3 };
  await expect(ask('changeSettings', { body: { changes } })).rejects.toMatchObject({ status: 403 });
  const { settings } = await ask('getSettings');
  expect(settings.filter(({ given }) => given.user !== null || given.workspace !== null)).toEqual([]);
});

test('[API] settings of one workspace: changed with the level, in force there with the next request, and nowhere else', async () => {
  const at = scene();
  at.retake.json(at.workspace, 'checkpoint');
  const other = temporaryDirectory();
  at.retake.json(other, 'checkpoint');
  const { ask, faults } = serve(at);
  const { workspaces } = await ask('listWorkspaces');
  const [here, there] = [at.workspace, other].map((root) => workspaces.find((one) => one.root === root)?.id ?? expect.fail(root));
  const modeIn = async (workspace: string | undefined) => {
    const { settings } = await ask('getSettings', { query: { workspace } });
    return settings.find(({ key }) => key === 'retention.days') ?? expect.fail();
  };
  await ask('changeSettings', { body: { changes: { 'retention.days': 60 } } });
  await ask('changeSettings', { query: { workspace: there }, body: { changes: { 'retention.days': 5 }, level: 'workspace' } });
  expect(await modeIn(there)).toMatchObject({ value: 5, from: 'workspace', given: { user: 60, workspace: 5 } });
  expect(await modeIn(here)).toMatchObject({ value: 60, from: 'user' });
  expect(await modeIn(undefined)).toMatchObject({ value: 60, from: 'user' });
  await expect(modeIn('no-such-workspace')).rejects.toMatchObject({ status: 404 });
  const body = { changes: { 'server.port': 5 }, level: 'workspace' } as const;
  await expect(ask('changeSettings', { body })).rejects.toMatchObject({
    status: 422,
    code: 'bad-setting',
    details: { key: 'server.port' },
  });

  // A workspace that is held open by the server is held under its own settings.
  expect(await ask('listSessions', { workspace: there })).toMatchObject({ sessions: [] });
  const file = (await ask('getSettings', { query: { workspace: there } })).workspaceFile ?? expect.fail();
  writeFileSync(file, '{"retention.days": 0}');
  await expect(ask('listSessions', { workspace: there })).rejects.toMatchObject({ status: 422, code: 'bad-setting' });
  expect(await ask('listSessions', { workspace: here })).toMatchObject({ sessions: [] });
  await ask('changeSettings', { query: { workspace: there }, body: { changes: { 'retention.days': null }, level: 'workspace' } });
  expect(await ask('listSessions', { workspace: there })).toMatchObject({ sessions: [] });
  expect(faults).toEqual([]);
});
