import type { Plan } from '../client/types.ts';
import { Checkbox, Select, TextField } from '../parts/field.tsx';
import { visible } from '../parts/words.ts';
import { onThePage } from './plan-words.ts';
import type { RecoveryBranch } from './recovery-branch.ts';

interface BranchOptionsProps {
  readonly branch: RecoveryBranch;
  readonly onChange: (branch: RecoveryBranch) => void;
  readonly plan: Plan | undefined;
}

/** Whether the state before a rollback becomes a branch of git, which name it has, and where it is pushed to. */
export const BranchOptions = ({ branch, onChange, plan }: BranchOptionsProps) => {
  const isWanted = branch.isWanted ?? plan?.recoveryBranch != null;
  const problem = plan?.recoveryBranchProblem;
  const remotes = plan?.remotes ?? [];
  return (
    <>
      <Checkbox
        label="Make a recovery branch"
        help={
          problem === undefined
            ? 'The files as they are now become a branch of git, before anything goes back.'
            : `The settings ask for one, and none can be made: ${onThePage(problem.message)}`
        }
        checked={isWanted}
        onChange={({ target }) => onChange({ ...branch, isWanted: target.checked })}
      />
      {isWanted && (
        <TextField
          label="Name of the branch"
          placeholder={plan?.usualBranch}
          value={branch.name}
          maxLength={200}
          onChange={({ target }) => onChange({ ...branch, isWanted, name: target.value })}
        />
      )}
      {isWanted && remotes.length > 0 && (
        <Select label="Push it to" value={branch.pushTo} onChange={({ target }) => onChange({ ...branch, isWanted, pushTo: target.value })}>
          <option value="">no remote</option>
          {remotes.map((remote) => (
            <option key={remote} value={remote}>
              {visible(remote)}
            </option>
          ))}
        </Select>
      )}
    </>
  );
};
