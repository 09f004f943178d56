/**
 * picker: the way back on a terminal. `state` is all that it knows; `press`, `receive` and `resize` change it; `pending-loads` says what is to be read
 * or done for it, `load-runner` does that; `frame` makes lines of it, and `screen` puts those on the terminal with Ink. `plain` is the same way by
 * questions and answers.
 */
import { Workspace } from '../../engine/index.ts';
import type { SessionId } from '../../model/index.ts';
import { healedLines } from '../healed.ts';
import { withIdsOf } from '../ids.ts';
import { hint, print } from '../output.ts';

export interface PickerOptions {
  readonly directory: string;
  /** Whose turns are shown; those of the newest session unless given. */
  readonly session?: SessionId | undefined;
  /** By questions and answers, for screen readers and terminals that can do nothing else. */
  readonly plain?: boolean | undefined;
}

/** Returns why something was not done, where that is left to be told when it ends. */
export const openPicker = async ({ directory, session, plain = process.env.TERM === 'dumb' }: PickerOptions): Promise<string | null> => {
  /** Told where it can be read: not on a screen that is drawn over. */
  const healed: string[] = [];
  const workspace = await Workspace.open({ directory, onHealed: (one) => healed.push(...healedLines(one)) });
  try {
    return await withIdsOf(workspace, () => pick(workspace, session, plain));
  } finally {
    workspace.close();
    healed.forEach(hint);
  }
};

const pick = async (workspace: Workspace, session: SessionId | undefined, plain: boolean): Promise<string | null> => {
  if (plain) {
    const { openPlain } = await import('./plain.ts');
    await openPlain(workspace, session);
    return null;
  }
  const { openScreen } = await import('./screen.tsx');
  const { outcomes, notice } = await openScreen(workspace, session);
  for (const { lines, onward } of outcomes) for (const line of [...lines, ...onward]) print(line);
  return notice;
};
