import { useState } from 'react';
import { type Answered, ApiError, type Routes } from '../../api/index.ts';
import { ask } from '../client/ask.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Checkbox, Choice } from '../parts/field.tsx';
import { count, shortId, visible } from '../parts/words.ts';
import { CommitList } from './commit-list.tsx';
import { Refusal } from './notice.tsx';
import { PathList } from './path-name.tsx';
import layout from './plan-dialog.module.css';
import { reasonWords } from './plan-words.ts';
import { Progress } from './progress.tsx';
import { useCarrying } from './use-carrying.ts';
import { useProposal } from './use-proposal.ts';

type KeepAnswer = Answered<Routes['keepSession']>;
export type Kept = Extract<KeepAnswer, { pushed: boolean }>;
type KeepPlan = Exclude<KeepAnswer, Kept>;

interface Options {
  readonly each: boolean;
  readonly all: boolean;
  readonly push: boolean;
}

interface KeepDialogProps {
  readonly session: string;
  readonly onDone: (kept: Kept) => void;
  readonly onClose: () => void;
}

const isKept = (answer: KeepAnswer): answer is Kept => 'pushed' in answer;

/** A session's work as commits on the branch: which those will be, and then just those. */
export const KeepDialog = ({ session, onDone, onClose }: KeepDialogProps) => {
  const workspace = useWorkspaceId();
  const [options, setOptions] = useState<Options>({ each: false, all: false, push: false });
  const [refusal, setRefusal] = useState<unknown>();
  const { carrying, carry } = useCarrying();
  const params = { session };
  const {
    proposal: plan,
    error,
    isPlanning,
    again,
  } = useProposal(
    JSON.stringify(options),
    (signal) => ask('keepSession', { params, body: { ...options, dryRun: true }, workspace, signal }) as Promise<KeepPlan>,
  );
  const act = async (): Promise<void> => {
    if (plan === undefined || isPlanning) return;
    setRefusal(undefined);
    try {
      const { expected } = plan;
      const kept = await carry((job) => ask('keepSession', { params, body: { ...options, expected, job }, workspace }));
      if (isKept(kept)) onDone(kept);
    } catch (failed) {
      setRefusal(failed);
      again();
    }
  };
  if (carrying !== undefined)
    return (
      <Dialog title="Keep the work" onClose={onClose} isBusy size="large">
        <Progress what="Making the commits, with your hooks …" carrying={carrying} />
      </Dialog>
    );
  const canKeep = plan !== undefined && !isPlanning && error === undefined && plan.commits.length > 0;
  return (
    <Dialog
      title="Keep the work"
      onClose={onClose}
      size="large"
      actions={
        <>
          <Button data-autofocus onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" disabled={!canKeep} onClick={() => void act()}>
            {plan === undefined ? 'Keep' : actionOf(plan)}
          </Button>
        </>
      }
    >
      <div className={layout.layout} data-beside="true">
        <div className={layout.top}>{refusal !== undefined && <Refusal error={refusal} />}</div>
        <div className={layout.plan} aria-busy={isPlanning}>
          {error !== undefined && <Refused error={error} />}
          {error === undefined && plan === undefined && (
            <p role="status" className={layout.soft}>
              Working out the commits …
            </p>
          )}
          {error === undefined && plan !== undefined && <Commits plan={plan} />}
        </div>
        <div className={layout.beside}>
          <Choice<'one' | 'each'>
            label="Commits"
            value={options.each ? 'each' : 'one'}
            options={[
              { value: 'one', label: 'One commit' },
              { value: 'each', label: 'One per turn' },
            ]}
            onChange={(value) => setOptions({ ...options, each: value === 'each' })}
          />
          <Checkbox
            label="With my edits"
            help="What you changed yourself during the session is committed too."
            checked={options.all}
            onChange={({ target }) => setOptions({ ...options, all: target.checked })}
          />
          <Checkbox
            label="Push afterwards"
            help={plan?.pushTo == null ? 'To where the branch belongs.' : `To ${visible(plan.pushTo)}.`}
            checked={options.push}
            onChange={({ target }) => setOptions({ ...options, push: target.checked })}
          />
        </div>
      </div>
    </Dialog>
  );
};

const actionOf = ({ commits, pushTo }: KeepPlan): string =>
  `${pushTo === null ? 'Make' : 'Make and push'} ${count(commits.length, 'commit')}`;

/** Why it can not be kept, with the files that it is about. */
const Refused = ({ error }: { error: unknown }) => {
  const conflicts = error instanceof ApiError && error.code === 'conflicts' ? error.details?.conflicts : undefined;
  return (
    <>
      <Refusal error={error} />
      {Array.isArray(conflicts) && (
        <PathList
          paths={(conflicts as { path: string; reason: string }[]).map(({ path, reason }) => ({ path, reason: reasonWords(reason) }))}
        />
      )}
    </>
  );
};

const Commits = ({ plan: { branch, head, commits, leftOut, staged } }: { plan: KeepPlan }) => (
  <>
    <p>
      On {branch === null ? 'no branch (HEAD is detached)' : <Badge tone="accent">{visible(branch)}</Badge>}
      {head === null ? ', as its first commit' : ', on top of '}
      {head !== null && <code>{shortId(head)}</code>}. Your files stay as they are.
    </p>
    <CommitList commits={commits} leftOut={leftOut} staged={staged} />
  </>
);
