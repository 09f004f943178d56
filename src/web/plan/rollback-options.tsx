import type { Plan, Scope } from '../client/types.ts';
import { Button } from '../parts/button.tsx';
import { Checkbox, Choice, TextField } from '../parts/field.tsx';
import { count, visible } from '../parts/words.ts';
import { onThePage } from './plan-words.ts';
import classes from './rollback-options.module.css';

/** What a rollback can be told to do. */
export interface RollbackOptions {
  readonly scope: Scope;
  readonly git: boolean;
  readonly keepMine: boolean;
  readonly allSessions: boolean;
  /** Only these files or directories. */
  readonly only: readonly string[] | undefined;
}

/** A branch of the state before it. */
export interface RecoveryBranch {
  /** Undefined for what is usual here, as the settings say. */
  readonly isWanted: boolean | undefined;
  readonly name: string;
}

/** The branch as it is where nobody says otherwise. */
export type PlannedBranch = Pick<Plan, 'recoveryBranch' | 'recoveryBranchProblem' | 'usualBranch'>;

interface OptionsProps {
  readonly options: RollbackOptions;
  readonly onChange: (options: RollbackOptions) => void;
  readonly branch: RecoveryBranch;
  readonly onBranch: (branch: RecoveryBranch) => void;
  /** What the plan says of it. */
  readonly planned: PlannedBranch | undefined;
  /** Parts of files: all but the branch is settled then. */
  readonly isOfHunks: boolean;
  /** Some files were taken out by hand. */
  readonly isPartial: boolean;
  readonly hasConversation: boolean;
}

const WHOLE = 'Only some files are chosen, and a conversation goes back as a whole';
const NO_CONVERSATION = 'No conversation belongs to this state';

export const Options = ({ options, onChange, isOfHunks, isPartial, hasConversation, ...rest }: OptionsProps) => {
  const { scope, git, keepMine, allSessions, only } = options;
  const isLimited = isPartial || only !== undefined;
  const whyNot = isLimited ? WHOLE : hasConversation ? undefined : NO_CONVERSATION;
  const hasCode = scope !== 'conversation';
  return (
    <>
      {!isOfHunks && (
        <>
          <div className={classes.option}>
            <span className={classes.label}>What goes back</span>
            <Choice<Scope>
              label="What goes back"
              value={scope}
              options={[
                { value: 'code', label: 'Code' },
                { value: 'conversation', label: 'Conversation', disabledBecause: whyNot },
                { value: 'both', label: 'Both', disabledBecause: whyNot },
              ]}
              onChange={(next) =>
                onChange(
                  next === 'conversation'
                    ? { ...options, scope: next, git: false, keepMine: false, allSessions: false }
                    : { ...options, scope: next },
                )
              }
            />
          </div>
          {only !== undefined && (
            <div className={classes.option}>
              <span className={classes.label}>Only {only.length === 1 ? visible(only[0] ?? '') : count(only.length, 'path')}</span>
              <Button isSmall onClick={() => onChange({ ...options, only: undefined })}>
                All files
              </Button>
            </div>
          )}
          <Checkbox
            label="Keep my edits"
            help="What agents did goes back. What you changed yourself stays, line by line."
            checked={keepMine}
            disabled={!hasCode}
            onChange={({ target }) => onChange({ ...options, keepMine: target.checked })}
          />
          <Checkbox
            label="All sessions"
            help="What other sessions did at the same time goes back too."
            checked={allSessions}
            disabled={!hasCode}
            onChange={({ target }) => onChange({ ...options, allSessions: target.checked })}
          />
          <Checkbox
            label="Git state too"
            help={
              isLimited
                ? 'It goes back with all of the code only.'
                : 'Branch, HEAD and what is staged are then as they were. Otherwise git stays where it is.'
            }
            checked={git}
            disabled={!hasCode || isLimited}
            onChange={({ target }) => onChange({ ...options, git: target.checked })}
          />
        </>
      )}
      <Branching {...rest} />
    </>
  );
};

type BranchingProps = Pick<OptionsProps, 'branch' | 'onBranch' | 'planned'>;

const Branching = ({ branch: { isWanted: wanted, name }, onBranch, planned }: BranchingProps) => {
  const isWanted = wanted ?? planned?.recoveryBranch != null;
  const problem = planned?.recoveryBranchProblem;
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
        onChange={({ target }) => onBranch({ isWanted: target.checked, name })}
      />
      {isWanted && (
        <TextField
          label="Name of the branch"
          placeholder={planned?.usualBranch}
          value={name}
          maxLength={200}
          onChange={({ target }) => onBranch({ isWanted, name: target.value })}
        />
      )}
    </>
  );
};
