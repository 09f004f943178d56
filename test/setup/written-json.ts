import fc from '../support/property.ts';

/** A JSON value and one of the many ways in which somebody may have written it. */
export interface Written {
  readonly text: string;
}

const blank = fc.constantFrom('', '', ' ', '\n', '\r\n', '\t', '  \n ');
const foreignCommand = fc.constantFrom('echo hi', '/x/retake-notes hook claude-code', 'node hook.cjs claude-code', "'it''s' \"mine\"");

const handler = fc.record(
  { type: fc.constantFrom('command', 'http'), command: foreignCommand, timeout: fc.integer({ min: 1, max: 60 }) },
  { requiredKeys: ['type'] },
);
const group = fc.record(
  { matcher: fc.constantFrom('*', 'Bash', 'Edit|Write'), hooks: fc.array(handler, { maxLength: 3 }) },
  { requiredKeys: ['hooks'] },
);
const eventName = fc.constantFrom('PreToolUse', 'PostToolUse', 'Stop', 'SessionStart', 'Notification', 'PermissionRequest');
const hooks = fc.dictionary(eventName, fc.array(group, { maxLength: 3 }), { maxKeys: 5 });

/** Settings in which everything else is anything. */
const settings = fc
  .tuple(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }), fc.option(hooks), fc.boolean())
  .map(([rest, given, first]) => {
    const { hooks: _random, disableAllHooks: _off, ...others } = rest;
    if (given === null) return others;
    return first ? { hooks: given, ...others } : { ...others, hooks: given };
  });

type Pick = <T>(from: fc.Arbitrary<T>) => T;

const spell = (value: unknown, gap: () => string, pick: Pick): string => {
  if (Array.isArray(value)) return `[${gap()}${value.map((one) => spell(one, gap, pick)).join(`${gap()},${gap()}`)}${gap()}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}${gap()}:${gap()}${spell(one, gap, pick)}`);
    return `{${gap()}${members.join(`${gap()},${gap()}`)}${gap()}}`;
  }
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e6)
    return `${value}${pick(fc.constantFrom('', '.0', 'e0', '.00E+0'))}`;
  return JSON.stringify(value);
};

export const writtenSettings: fc.Arbitrary<Written> = fc
  .tuple(
    settings,
    fc.constantFrom('random', 'plain', 'crlf'),
    fc.constantFrom(0, 1, 2, 4, '\t', '   '),
    fc.boolean(),
    fc.constantFrom('', '\n', '\r\n\r\n'),
    fc.gen(),
  )
  .map(([value, how, indent, hasMark, end, pick]) => {
    const draw: Pick = (from) => pick(() => from);
    const pretty = JSON.stringify(value, null, indent);
    const body = how === 'random' ? spell(value, () => draw(blank), draw) : how === 'crlf' ? pretty.replaceAll('\n', '\r\n') : pretty;
    return { text: (hasMark ? '\uFEFF' : '') + body + end };
  });
