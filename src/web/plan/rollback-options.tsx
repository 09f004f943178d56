import type { Plan, Scope } from '../client/types.ts';
import { Button } from '../parts/button.tsx';
import { Checkbox, Choice } from '../parts/field.tsx';
import { count, visible } from '../parts/words.ts';
import classes from './rollback-options.module.css';

/** What a rollback can be told to do. What is undefined is left to the server, and its plan tells what that is. */
export interface RollbackOptions {
  readonly scope: Scope | undefined;
  readonly git: boolean;
  /** Files outside the workspace that an agent edited. */
  readonly outside: boolean;
  readonly keepMine: boolean | undefined;
  readonly allSessions: boolean;
  /** Only these files or directories. */
  readonly only: readonly string[] | undefined;
}

/** What holds where nobody says otherwise. */
export type PlannedOptions = Pick<Plan, 'scope' | 'keepMine'>;

interface OptionsProps {
  readonly options: RollbackOptions;
  readonly onChange: (options: RollbackOptions) => void;
  /** What the plan says of it. */
  readonly planned: PlannedOptions | undefined;
  /** Some files were taken out by hand. */
  readonly isPartial: boolean;
  readonly hasConversation: boolean;
}

const WHOLE = 'Only some files are chosen, and a conversation goes back as a whole';
const NO_CONVERSATION = 'No conversation belongs to this state';

export const Options = ({ options, onChange, planned, isPartial, hasConversation }: OptionsProps) => {
  const { git, outside, allSessions, only } = options;
  const { scope = planned?.scope ?? 'code', keepMine = planned?.keepMine ?? false } = options;
  const isLimited = isPartial || only !== undefined;
  const whyNot = isLimited ? WHOLE : hasConversation ? undefined : NO_CONVERSATION;
  const hasCode = scope !== 'conversation';
  return (
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
                ? { ...options, scope: next, git: false, outside: false, keepMine: undefined, allSessions: false }
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
      <Checkbox
        label="Files outside too"
        help={
          isLimited
            ? 'They go back with all of the code only.'
            : 'What an agent edited outside of the workspace is then as it was. The plan names each file.'
        }
        checked={outside}
        disabled={!hasCode || isLimited}
        onChange={({ target }) => onChange({ ...options, outside: target.checked })}
      />
    </>
  );
};
