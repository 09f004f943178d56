import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EVENT_NAMES } from '../../src/agents/claude-code/hook-events.ts';
import { findHooks, installHooks, removeHooks } from '../../src/agents/claude-code/settings-text.ts';
import { setUpAgent } from '../../src/agents/setup.ts';
import fc from '../support/property.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { writtenSettings } from './written-json.ts';

const COMMAND = '/opt/node /opt/retake/dist/hook.cjs claude-code';
const OLDER = "RETAKE_HOME='/it'\\''s here' '/old node/node' '/old/dist/hook.cjs' claude-code";

const parse = (text: string) => JSON.parse(text.replace(/^\uFEFF/, ''));

/** The settings without hooks of ours and what these alone needed. */
const withoutOurs = (text: string, original: string) => {
  const settings = parse(text);
  const before = parse(original);
  for (const [event, groups] of Object.entries(settings.hooks as Record<string, { hooks: { command?: string }[] }[]>)) {
    const foreign = groups.filter(({ hooks }) => !(hooks.length === 1 && hooks[0]?.command === COMMAND));
    if (foreign.length > 0 || before.hooks?.[event] !== undefined) settings.hooks[event] = foreign;
    else delete settings.hooks[event];
  }
  if (before.hooks === undefined) delete settings.hooks;
  return settings;
};

test('[AGT-1] whatever the settings are and however they are written, installing adds to them and removing gives the same bytes back', () => {
  fc.assert(
    fc.property(writtenSettings, ({ text }) => {
      const installed = installHooks(text, COMMAND);
      expect(installed.added).toEqual(EVENT_NAMES);
      expect(findHooks(installed.text).map(({ event }) => event)).toHaveLength(EVENT_NAMES.length);
      expect(withoutOurs(installed.text, text)).toEqual(parse(text));
      expect(Object.keys(withoutOurs(installed.text, text))).toEqual(Object.keys(parse(text)));
      expect(removeHooks(installed.text, text)).toEqual({ text, removed: expect.anything() });
    }),
    { numRuns: 1000 },
  );
});

test('[AGT-1] installing twice is installing once, and an older installation is replaced where it stands', () => {
  fc.assert(
    fc.property(writtenSettings, ({ text }) => {
      const once = installHooks(text, COMMAND).text;
      expect(installHooks(once, COMMAND)).toEqual({ text: once, added: [], replaced: [], kept: EVENT_NAMES });
      const older = installHooks(text, OLDER).text;
      expect(installHooks(older, COMMAND)).toEqual({ text: once, added: [], replaced: EVENT_NAMES, kept: [] });
      expect(removeHooks(older, text).text).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test('[AGT-1] with real files, setting up and removing leaves the directory as it was', () => {
  const root = temporaryDirectory();
  const directory = join(root, '.claude');
  const file = join(directory, 'settings.local.json');
  fc.assert(
    fc.property(fc.option(writtenSettings), (written) => {
      if (written !== null) {
        mkdirSync(directory, { recursive: true });
        writeFileSync(file, written.text);
      }
      const request = { root, remove: false, isDryRun: false };
      const report = setUpAgent('claude-code', request);
      expect(report).toMatchObject({ changed: true, added: EVENT_NAMES, backup: written === null ? null : `${file}.retake-backup` });
      if (report.backup !== null) expect(readFileSync(report.backup, 'utf8')).toBe(written?.text);
      expect(setUpAgent('claude-code', request)).toMatchObject({ changed: false, kept: EVENT_NAMES, backup: null });
      expect(setUpAgent('claude-code', { ...request, remove: true })).toMatchObject({ changed: true });
      if (written === null) expect(existsSync(directory)).toBe(false);
      else {
        expect(readFileSync(file, 'utf8')).toBe(written.text);
        expect(readdirSync(directory)).toEqual(['settings.local.json']);
        rmSync(directory, { recursive: true });
      }
    }),
    { numRuns: 200 },
  );
});
