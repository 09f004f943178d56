import type { Command } from 'commander';
import { hasToPin, knownSession, pinObjects, Workspace } from '../engine/index.ts';
import { healedLines } from './healed.ts';
import { withIdsOf } from './ids.ts';
import { describeError, hint, oneLine } from './output.ts';
import type { GlobalOptions } from './verb.ts';
import { waitForSteps } from './wait.ts';

/** What a verb does in a workspace, which is opened and closed around it. */
type Run = <Options extends object>(
  work: (workspace: Workspace, options: Options & GlobalOptions, args: readonly string[]) => Promise<void>,
) => (...args: unknown[]) => Promise<void>;

const runWith =
  (asIs: boolean): Run =>
  (work) =>
  async (...given) => {
    const command = given.at(-1) as Command;
    const options = command.optsWithGlobals();
    const workspace = await open(options.directory, asIs);
    const all = async (): Promise<void> => {
      await waitForSteps(workspace, options);
      await work(workspace, withSession(workspace, command, options) as never, command.args);
    };
    try {
      if (asIs) await all();
      else
        await withIdsOf(workspace, async () => {
          await all();
          await holdWhatIsLeft(workspace);
        });
    } finally {
      workspace.close();
    }
  };

export const run = runWith(false);

/** With the workspace as it is: what was cut short is not completed. */
export const runAsIs = runWith(true);

/** Verbs that find out themselves which session is meant: it may be a new one, or one that only a commit names. */
const FINDING = new Set(['checkpoint', 'reflog']);

/** Options with the whole id of the session that is meant, of which people may give the first characters. */
const withSession = (workspace: Workspace, command: Command, options: { readonly session?: string }): object =>
  options.session === undefined || FINDING.has(command.name())
    ? options
    : { ...options, session: knownSession(workspace, options.session) };

/** Where no daemon will do it. The work is done and told: what fails here, or would have to wait for others, is tried again next time. */
const holdWhatIsLeft = async (workspace: Workspace): Promise<void> => {
  if (workspace.settings['daemon.enabled'] || !hasToPin(workspace) || workspace.isBusy) return;
  try {
    await pinObjects(workspace);
  } catch (error) {
    hint(`Objects of git could not be kept for later: ${oneLine(describeError(error).message)}`);
  }
};

const open = (directory: string, asIs: boolean): Promise<Workspace> =>
  Workspace.open({
    directory,
    asIs,
    onWait: () => hint('Waiting for another Retake process on this workspace …'),
    onHealed: (healed) => healedLines(healed).forEach(hint),
  });
