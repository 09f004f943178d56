import type { ReactNode } from 'react';
import type { Plan } from '../client/types.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { count, number, shortId, visible, visibleLines } from '../parts/words.ts';
import { CommitList } from './commit-list.tsx';
import { Fold } from './fold.tsx';
import { Notice } from './notice.tsx';
import { PathList } from './path-name.tsx';
import classes from './plan-parts.module.css';
import { onThePage, sortWarnings } from './plan-words.ts';

/** What can be done about a warning right where it stands. */
export interface Remedies {
  readonly onKeepMine?: (() => void) | undefined;
  readonly onAllSessions?: (() => void) | undefined;
}

/** What to know before anything else. */
export const Warnings = ({ plan, remedies: { onKeepMine, onAllSessions } }: { plan: Plan; remedies: Remedies }) => {
  const { operations, inTheWay, warnings } = plan;
  const { ownEdits, otherSessions, others } = sortWarnings(warnings);
  const mine = operations.filter(({ by }) => by === 'person' || by === 'both');
  return (
    <>
      {inTheWay.length > 0 && (
        <Notice tone="bad" title={`${count(inTheWay.length, 'thing is', 'things are')} in the way`}>
          <p>It would be destroyed, so that nothing is done before it is moved away.</p>
          <PathList paths={inTheWay} />
        </Notice>
      )}
      {ownEdits && mine.length > 0 && (
        <Notice
          tone="warn"
          title={`${count(mine.length, 'file holds', 'files hold')} edits of your own, which would go too`}
          actions={
            onKeepMine !== undefined && (
              <Button isSmall onClick={onKeepMine}>
                Keep my edits
              </Button>
            )
          }
        >
          <PathList paths={mine.slice(0, 5)} />
          {mine.length > 5 && <p>and {number(mine.length - 5)} more, marked below</p>}
        </Notice>
      )}
      {otherSessions !== undefined && (
        <Notice
          tone="warn"
          title="Another session worked here at the same time"
          actions={
            onAllSessions !== undefined && (
              <Button isSmall onClick={onAllSessions}>
                Take its work back too
              </Button>
            )
          }
        >
          <p>{visible(otherSessions)}</p>
        </Notice>
      )}
      {others.map((words) => (
        <Notice key={words} tone="warn" title={visible(words)} />
      ))}
    </>
  );
};

/** How far it goes back. */
export const GoesBack = ({ plan: { goesBack, scope } }: { plan: Plan }) => {
  const { turns, steps, messages, checkpoints } = goesBack;
  const counted = [
    [turns, 'turn'],
    [steps, 'step'],
    [scope === 'code' ? 0 : messages, 'message'],
    [checkpoints, 'checkpoint'],
  ] as const;
  const parts = counted.filter(([value]) => value > 0).map(([value, noun]) => count(value, noun));
  return (
    <p className={classes.goesBack}>
      <span className={classes.label}>Goes back</span> {parts.length === 0 ? 'nothing that was recorded' : parts.join(', ')}
    </p>
  );
};

const APPLIES = {
  cleanly: ['goes cleanly', 'good'],
  'with-conflicts': ['meets conflicts', 'bad'],
  later: ['later, after what is to be finished by hand', 'plain'],
} as const;

/** The changes that are taken in or out one by one, where it is not a state as a whole that is gone to. */
const Replayed = ({ steps }: { steps: NonNullable<Plan['steps']> }) => (
  <Fold title={`${count(steps.length, 'change')}, one by one`} isOpen={steps.length <= 5}>
    <ul className={classes.list}>
      {steps.map(({ id, description, applies }) => (
        <li key={id}>
          <span>{visible(description)}</span> <Badge tone={APPLIES[applies][1]}>{APPLIES[applies][0]}</Badge>
        </li>
      ))}
    </ul>
  </Fold>
);

const WHOSE = { agent: 'an agent’s', person: 'yours', both: 'an agent’s and yours' } as const;

/** What differs and is left as it is, and why. */
const Stays = ({ plan: { stays, kept } }: { plan: Plan }) => {
  const all = [
    ...stays.map(({ by, ...path }) => ({ ...path, about: by == null ? 'stays' : WHOSE[by] })),
    ...kept.map(({ reason, ...path }) => ({ ...path, reason: onThePage(reason) })),
  ];
  return all.length === 0 ? null : (
    <Fold title={`${count(all.length, 'path')} that ${all.length === 1 ? 'differs and stays as it is' : 'differ and stay as they are'}`}>
      <PathList paths={all} />
    </Fold>
  );
};

/** Files outside the workspace, each by its whole path. */
const OutsidePart = ({ outside: { operations, left } }: { outside: Plan['outside'] }) =>
  operations.length + left.length === 0 ? null : (
    <section className={classes.part} aria-label="Outside of the workspace">
      <h3>Outside of the workspace</h3>
      <dl className={classes.facts}>
        {operations.map(({ type, path }) => (
          <Fact key={path} name={type}>
            {visible(path)}
          </Fact>
        ))}
        {left.map(({ path, reason }) => (
          <Fact key={path} name="stays">
            {visible(path)} ({onThePage(reason)})
          </Fact>
        ))}
      </dl>
    </section>
  );

type Git = NonNullable<Plan['git']>;

const describeHead = ({ branch, commit }: Git['from']): string => {
  const at = commit === null ? 'no commit yet' : shortId(commit);
  return branch === null ? `no branch, at ${at}` : `${visible(branch)}, at ${at}`;
};

const GitPart = ({ git: { from, to, refs, staged, commitsLeftBehind, leftBehind } }: { git: Git }) => (
  <section className={classes.part} aria-label="Git">
    <h3>Git</h3>
    <dl className={classes.facts}>
      <dt>HEAD</dt>
      <dd>
        {describeHead(from)} → {describeHead(to)}
      </dd>
      {refs.map((ref) => (
        <Fact key={ref.ref} name={visible(ref.ref)}>
          {ref.from === null ? 'none' : shortId(ref.from)} → {ref.to === null ? 'none' : shortId(ref.to)}
        </Fact>
      ))}
      <Fact name="Staged files">
        {number(staged.from)} → {number(staged.to)}
      </Fact>
      {commitsLeftBehind > 0 && (
        <Fact name="Left behind">
          {count(commitsLeftBehind, 'commit')} that no branch leads to any more. Retake holds {commitsLeftBehind === 1 ? 'it' : 'them'}, and
          Undo brings {commitsLeftBehind === 1 ? 'it' : 'them'} back.
        </Fact>
      )}
    </dl>
    {leftBehind.length > 0 && (
      <Fold title={`${count(leftBehind.length, 'commit')} left behind`} isOpen={leftBehind.length <= 5}>
        <ul className={classes.list}>
          {leftBehind.slice(0, MOST_LISTED).map(({ id, headline }) => (
            <li key={id}>
              <code>{shortId(id)}</code> <span dir="auto">{visible(headline)}</span>
            </li>
          ))}
          <More of={leftBehind} />
        </ul>
      </Fold>
    )}
  </section>
);

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

const ConversationPart = ({ conversation }: { conversation: NonNullable<Plan['conversation']> }) => {
  const { from, messages, turns, prompt } = conversation;
  return (
    <section className={classes.part} aria-label="Conversation">
      <h3>Conversation</h3>
      <p>
        {messages > 0
          ? `It goes on in a new session without its last ${count(messages, 'message')} (${count(turns, 'turn')}).`
          : 'It goes on in the session that belongs to that state.'}
        {from !== null && ` Session ${visible(shortId(from))} stays as it is, and can be read and resumed as before.`}
      </p>
      {prompt !== null && (
        <>
          <p className={classes.label}>This prompt is handed back to you for editing:</p>
          <pre className={classes.prompt}>{visibleLines(prompt)}</pre>
        </>
      )}
    </section>
  );
};

/** What comes of it in git, where it is to be committed too. */
const CommitsPart = ({ plan: { commits, branch, leftOut, staged } }: { plan: Plan }) => (
  <section className={classes.part} aria-label="Commits">
    <h3>Commits</h3>
    {commits == null ? (
      <p>Which commits it becomes can be told when the conflicts are settled.</p>
    ) : commits.length === 0 ? (
      <p>No commit would come of it.</p>
    ) : (
      <>
        <p>
          {count(commits.length, 'commit')} on{' '}
          {branch == null ? 'no branch (HEAD is detached)' : <Badge tone="accent">{visible(branch)}</Badge>}
        </p>
        <CommitList commits={commits} leftOut={leftOut} staged={staged} />
      </>
    )}
  </section>
);

/** More than anybody reads through in a dialog. */
const MOST_LISTED = 200;

const More = ({ of }: { of: readonly unknown[] }) => (of.length > MOST_LISTED ? <li>and {number(of.length - MOST_LISTED)} more</li> : null);

/** What leads to the present and would not any more: steps of agents, and checkpoints that somebody named or wrote a note to. */
const LeavesBehind = ({ leavesBehind: { steps, checkpoints }, isListed }: Pick<Plan, 'leavesBehind'> & { readonly isListed: boolean }) => {
  return (
    <>
      {checkpoints.length > 0 && (
        <Fold title={`${count(checkpoints.length, 'checkpoint')} with a name or a note left behind`} isOpen>
          <ul className={classes.list}>
            {checkpoints.slice(0, MOST_LISTED).map(({ id, name, note, description }) => (
              <li key={id}>
                <strong>{visible(name ?? description)}</strong>
                {note !== null && <span dir="auto"> “{visible(note)}”</span>} <code>{shortId(id)}</code>
              </li>
            ))}
            <More of={checkpoints} />
          </ul>
        </Fold>
      )}
      {steps.length > 0 && !isListed && (
        <Fold title={`${count(steps.length, 'step')} left behind`} isOpen={steps.length <= 5}>
          <ul className={classes.list}>
            {steps.slice(0, MOST_LISTED).map(({ id, description, agentId, agentType }) => (
              <li key={id}>
                <code>{shortId(id)}</code> <span dir="auto">{visible(description)}</span>
                {agentId !== null && <span> by {visible(agentType ?? 'subagent')}</span>}
              </li>
            ))}
            <More of={steps} />
          </ul>
        </Fold>
      )}
    </>
  );
};

/** Everything of a plan that is not a change of files. */
export const Around = ({ plan }: { plan: Plan }) => (
  <>
    {plan.steps !== undefined && plan.steps.length > 0 && <Replayed steps={plan.steps} />}
    <LeavesBehind leavesBehind={plan.leavesBehind} isListed={(plan.steps?.length ?? 0) > 0} />
    {plan.commits !== undefined && <CommitsPart plan={plan} />}
    <Stays plan={plan} />
    <OutsidePart outside={plan.outside} />
    {plan.git !== null && <GitPart git={plan.git} />}
    {plan.conversation !== null && <ConversationPart conversation={plan.conversation} />}
  </>
);
