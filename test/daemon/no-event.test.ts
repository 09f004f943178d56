import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { put, type Scene } from '../support/scene.ts';
import { Conversation, contentAt, operationsOf } from './claude-code.ts';
import { daemonScene, PATIENT, promptPayload, spooled, tell } from './support.ts';

const protectedRoots = (at: Scene): string[] => {
  const all = join(at.retake.home, 'workspaces');
  if (!existsSync(all)) return [];
  return readdirSync(all)
    .filter((name) => !name.startsWith('rehearsal-'))
    .map((name) => JSON.parse(readFileSync(join(all, name, 'workspace.json'), 'utf8')).root);
};

describe('what is no event of a workspace leaves no store and harms nobody', () => {
  const fields = { hook_event_name: 'Stop', session_id: 's' };
  const hostile: [string, (at: Scene) => string | Buffer, RegExp][] = [
    ['a directory that is not there', () => JSON.stringify({ ...fields, cwd: '/does/not/exist' }), /no directory/],
    ['the home directory', (at) => JSON.stringify({ ...fields, cwd: at.retake.env.HOME }), /home directory/],
    ['the root of everything', () => JSON.stringify({ ...fields, cwd: '/' }), /home directory/],
    ['a relative directory', () => JSON.stringify({ ...fields, cwd: 'src/..' }), /cwd/],
    ['a directory that is a file', (at) => JSON.stringify({ ...fields, cwd: put(at.workspace, 'file') }), /not a directory/],
    ['a directory with a zero byte', (at) => JSON.stringify({ ...fields, cwd: `${at.workspace}\0` }), /./],
    ['a directory that is a number', () => JSON.stringify({ ...fields, cwd: 7 }), /cwd/],
    ['no directory', () => JSON.stringify(fields), /cwd/],
    ['no session', (at) => JSON.stringify({ hook_event_name: 'Stop', cwd: at.workspace }), /session_id/],
    ['a session without end', (at) => JSON.stringify({ ...fields, session_id: 'x'.repeat(201), cwd: at.workspace }), /session_id/],
    ['no name', (at) => JSON.stringify({ session_id: 's', cwd: at.workspace }), /hook_event_name/],
    ['half of an event', (at) => `{"hook_event_name":"Stop","session_id":"s","cwd":${JSON.stringify(at.workspace)}`, /not JSON/],
    ['a list', () => '[{"hook_event_name":"Stop"}]', /not a JSON object/],
    ['null', () => 'null', /not a JSON object/],
    ['noise', () => Buffer.from([0, 0xff, 0x1b, 0x7b, 0x22, 0x80]), /not JSON/],
    [
      'fields by inheritance',
      (at) => `{"__proto__":{"session_id":"s","cwd":${JSON.stringify(at.workspace)}},"hook_event_name":"Stop"}`,
      /session_id/,
    ],
  ];

  test('[AGT-1] [SEC] each is told by `daemon status`, and what comes after them is recorded', async () => {
    const at = daemonScene(PATIENT);
    await tell(at, '{}');
    for (const [name, payload, problem] of hostile) {
      await tell(at, payload(at));
      const { trouble } = at.retake.json(at.workspace, 'daemon', 'status');
      expect(trouble.at(-1).problem, name).toMatch(problem);
      expect(trouble.at(-1).agent).toBe('claude-code');
    }
    expect(protectedRoots(at)).toEqual([]);
    expect(spooled(at)).toEqual([]);
    rmSync(join(at.workspace, 'file'));
    await tell(at, promptPayload(at, 'all is well'));
    expect(operationsOf(at).map(({ description }) => description)).toEqual(['all is well']);
    expect(protectedRoots(at)).toEqual([at.workspace]);
  });

  test('[AGT-1] events that nobody knows are no trouble', async () => {
    const at = daemonScene(PATIENT);
    const talk = new Conversation('s', at.workspace);
    for (const name of ['Notification', 'SubagentStop', 'NotYetInvented', '__proto__', 'constructor', 'toString'])
      await tell(at, talk.say(name));
    expect(protectedRoots(at)).toEqual([]);
    expect(at.retake.json(at.workspace, 'daemon', 'status').trouble).toEqual([]);
  });

  test('[SEC] keys that have a meaning elsewhere are words like others', async () => {
    const at = daemonScene(PATIENT);
    const talk = new Conversation('__proto__', at.workspace);
    await tell(at, talk.prompt('__proto__', '__proto__'));
    await tell(at, talk.before('constructor', '__proto__'));
    put(at.workspace, '__proto__', '__proto__');
    await tell(at, talk.after('constructor', '__proto__').replace('"tool_input":{}', '"tool_input":{"__proto__":{"command":"inherited"}}'));
    const operations = operationsOf(at);
    expect(operations.map(({ session, description }) => `${session} ${description}`)).toEqual([
      '__proto__ __proto__',
      '__proto__ __proto__',
    ]);
    expect(operations[1]?.event).toMatchObject({ began: 1, turn: 1 });
    expect(contentAt(at, operations[1]?.id ?? '', '__proto__')).toBe('__proto__');
  });

  test('[AGT-1] five megabytes of input are recorded as one line', async () => {
    const at = daemonScene(PATIENT);
    const talk = new Conversation('s', at.workspace);
    const long = 'long '.repeat(1_000_000);
    const inputs: [string, unknown][] = [
      ['Write', { file_path: 'a.ts', content: long }],
      ['Bash', { command: long }],
      ['Edit', { file_path: `/tmp/${long}` }],
      ['Read', { file_path: 'two\nlines' }],
      [long, {}],
    ];
    for (const [number, [tool, input]] of inputs.entries()) {
      put(at.workspace, 'file', `${number}`);
      await tell(at, talk.after(`step-${number}`, tool, input));
    }
    const operations = operationsOf(at);
    expect(operations).toHaveLength(inputs.length);
    expect(operations[0]?.description).toBe('Write a.ts');
    for (const { description } of operations) {
      expect(description.length).toBeLessThan(410);
      expect(description).not.toContain('\n');
    }
    expect(at.retake.json(at.workspace, 'daemon', 'status').trouble).toEqual([]);
  });

  test('[SEC] the data directory itself is no workspace', async () => {
    const at = daemonScene(PATIENT);
    await tell(at, promptPayload(at));
    for (const directory of [at.retake.home, join(at.retake.home, 'workspaces'), at.retake.store(at.workspace)])
      await tell(at, new Conversation('s', directory).prompt('p', 'here?'));
    expect(protectedRoots(at)).toEqual([at.workspace]);
    expect(at.retake.json(at.workspace, 'daemon', 'status').trouble).toHaveLength(3);
  });
});
