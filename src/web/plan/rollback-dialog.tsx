import { useState } from 'react';
import type { Answered, Routes } from '../../api/index.ts';
import { ask } from '../client/ask.ts';
import { useAnswer } from '../client/queries.ts';
import type { HunkChoice, PlanStep } from '../client/types.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { count } from '../parts/words.ts';
import { usePlaces } from '../shell/places.ts';
import type { Looker } from './file-look.tsx';
import { actionOn, type CarryingOut, PlanDialog, type Proposal } from './plan-dialog.tsx';
import type { RollbackRequest } from './plans.tsx';
import { lookAt, type Proposing, pathsToGive, previewRollbackPlan } from './preview-rollback.ts';
import { LOCAL } from './recorded.ts';
import { Options, type PlannedOptions, type RollbackOptions } from './rollback-options.tsx';
import { RollbackTarget } from './rollback-target.tsx';
import { newJob, useProgress } from './use-carrying.ts';

export type RolledBack = Answered<Routes['rollBack']>;

interface RollbackDialogProps {
  readonly request: RollbackRequest;
  readonly onDone: (done: RolledBack) => void;
  readonly onClose: () => void;
}

/** Going back to a checkpoint: what that means, what else could be wished for, and then just what was shown. */
export const RollbackDialog = ({ request, onDone, onClose }: RollbackDialogProps) => {
  const { session, checkpoint, scope, paths, hunks } = request;
  const workspace = useWorkspaceId();
  const places = usePlaces();
  const [options, setOptions] = useState<RollbackOptions>({
    scope,
    git: false,
    outside: false,
    keepMine: undefined,
    allSessions: false,
    only: paths,
  });
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const [planned, setPlanned] = useState<PlannedOptions>();
  const [job, setJob] = useState<string>();
  const progress = useProgress(job);
  const { data: target } = useAnswer('getCheckpoint', { params: { session, checkpoint } });
  const proposing = (signal: AbortSignal): Proposing => ({ session, checkpoint, hunks, workspace, options, leftOut, signal });
  const change = (next: RollbackOptions): void => {
    // What is left out is chosen from what there is.
    if (next.only !== options.only || next.scope !== options.scope) setLeftOut(new Set());
    setOptions(next);
  };
  const apply = ({ onConflict, resolve, expectedTree, job: named, branching }: CarryingOut, shown: Proposal): Promise<RolledBack> => {
    const { git, outside, allSessions } = options;
    const { scope, keepMine } = shown.plan;
    return ask('rollBack', {
      params: { session, checkpoint },
      body: {
        scope,
        git,
        outside,
        keepMine,
        allSessions,
        paths: pathsToGive(shown, options, leftOut),
        hunks: hunks && [...hunks],
        onConflict,
        resolve: [...resolve],
        expectedTree,
        job: named,
        ...branching,
      },
      workspace,
    });
  };
  const looker = ({ plan }: Proposal): Looker => ({
    plan: `${plan.expectedTree} ${JSON.stringify(options)}`,
    look: (step: PlanStep, signal) => lookAt(proposing(signal), plan, step),
    href: ({ path }) => `${places.diff(session, checkpoint)}?path=${encodeURIComponent(path)}`,
  });
  const canChoose = (options.scope ?? planned?.scope) !== 'conversation' && !options.git && !options.outside && hunks === undefined;
  const leaveOut = (next: ReadonlySet<string>): void => {
    setLeftOut(next);
    // A conversation goes back as a whole.
    if (next.size > 0) setOptions((before) => ({ ...before, scope: 'code' }));
  };
  return (
    <PlanDialog
      title={titleOf(hunks)}
      action={actionOn('Roll back')}
      options={JSON.stringify([options, [...leftOut]])}
      preview={async (choices, signal) => {
        const named = newJob();
        setJob(named);
        const proposal = await previewRollbackPlan(proposing(signal), choices, named);
        setPlanned(proposal.whole);
        return proposal;
      }}
      apply={apply}
      onDone={onDone}
      onClose={onClose}
      head={(plan) => <RollbackTarget session={session} checkpoint={checkpoint} plan={plan} />}
      planning={
        progress !== null && 'files' in progress ? `Making the plan … ${count(progress.files, 'file')} looked at` : 'Making the plan …'
      }
      remedies={
        hunks === undefined
          ? {
              onKeepMine: () => change({ ...options, keepMine: true }),
              onAllSessions: () => change({ ...options, allSessions: true }),
            }
          : {}
      }
      choosing={canChoose ? { leftOut, onChange: leaveOut } : undefined}
      looker={looker}
      beside={
        // Of parts of files all else is settled.
        hunks === undefined && (
          <Options
            options={options}
            onChange={change}
            planned={planned}
            isPartial={leftOut.size > 0}
            hasConversation={target === undefined || target.session !== LOCAL}
          />
        )
      }
    />
  );
};

const titleOf = (hunks: readonly HunkChoice[] | undefined): string =>
  hunks === undefined ? 'Roll back' : `Roll back ${count(hunks.length, 'part')} of a file`;
