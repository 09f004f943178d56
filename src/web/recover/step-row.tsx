import type { ChangeEvent } from 'react';
import { Link } from 'wouter';
import type { Step } from '../client/types.ts';
import { Badge, type Tone } from '../parts/badge.tsx';
import { Counts } from '../parts/counts.tsx';
import { Time } from '../parts/time.tsx';
import { absoluteTime, count, visible } from '../parts/words.ts';
import { usePlaces } from '../shell/places.ts';
import { ROW_FOCUS } from './long-list.tsx';
import classes from './step-row.module.css';
import { type Applies, daysLeft, type StepState, stateOf, whyNot } from './steps.ts';

interface StepRowProps {
  readonly session: string;
  readonly step: Step;
  readonly isSelected: boolean;
  /** How it would go, where that is known. */
  readonly applies: Applies | undefined;
  readonly onSelect: (isRange: boolean) => void;
}

export const StepRow = ({ session, step, isSelected, applies, onSelect }: StepRowProps) => {
  const places = usePlaces();
  const { id, turn, tool, agent, agentId, agentType, description, name, files, createdAt } = step;
  const refusal = whyNot(step);
  const canSelect = refusal === undefined;
  const words = visible(name ?? description);
  const onChange = ({ nativeEvent }: ChangeEvent<HTMLInputElement>): void =>
    onSelect(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
  return (
    <div className={classes.row} data-selected={isSelected}>
      <input
        type="checkbox"
        className={classes.check}
        aria-label={`Recover ${words}`}
        title={refusal ?? 'With Shift: all up to here'}
        checked={isSelected}
        disabled={!canSelect}
        onChange={onChange}
        {...(canSelect ? ROW_FOCUS : {})}
      />
      <div className={classes.what}>
        <Link href={places.step(session, id)} className={classes.title ?? ''} {...(canSelect ? {} : ROW_FOCUS)}>
          {words}
        </Link>
        <span className={classes.facts}>
          {turn !== null && <span>turn {turn}</span>}
          {tool !== null && <span>{visible(tool)}</span>}
          <span>{visible([agentType, agentId].filter((one) => one !== null).join(' ') || (agent ?? ''))}</span>
          {files === null ? <span>not readable</span> : <Counts files={files.changed} {...files} />}
          <Time at={createdAt} />
        </span>
      </div>
      <span className={classes.badges}>
        {applies !== undefined && <AppliesBadge applies={applies} />}
        <StateBadge step={step} />
      </span>
    </div>
  );
};

const APPLIES: Readonly<Record<Applies, { readonly tone: Tone; readonly words: string; readonly title: string }>> = {
  cleanly: { tone: 'good', words: 'applies cleanly', title: 'It goes together with what is there now' },
  'with-conflicts': { tone: 'bad', words: 'with conflicts', title: 'What is there now differs at the same places: you choose what counts' },
  later: { tone: 'info', words: 'later', title: 'It comes after one that has to be finished by hand first' },
};

const AppliesBadge = ({ applies }: { applies: Applies }) => {
  const { tone, words, title } = APPLIES[applies];
  return (
    <Badge tone={tone} title={title}>
      {words}
    </Badge>
  );
};

const TONES: Readonly<Record<StepState, Tone>> = {
  recoverable: 'info',
  expiring: 'warn',
  expired: 'bad',
  recovered: 'good',
  'on-branch': 'plain',
};

const StateBadge = ({ step }: { step: Step }) => {
  const state = stateOf(step);
  if (state === undefined) return null;
  const { expiresAt } = step;
  const until = expiresAt === null ? '' : `Retained until ${absoluteTime(expiresAt)}`;
  switch (state) {
    case 'recoverable':
    case 'expiring':
      return (
        <Badge tone={TONES[state]} title={until}>
          {state}
          {expiresAt !== null && `, ${count(daysLeft(expiresAt), 'day')} left`}
        </Badge>
      );
    case 'expired':
      return (
        <Badge tone={TONES[state]} title="Its time is over: it may be gone with the next clean-up">
          expired
        </Badge>
      );
    case 'recovered':
      return (
        <Badge tone={TONES[state]} title="It was rolled back, and brought back since">
          recovered
        </Badge>
      );
    case 'on-branch':
      return (
        <Badge tone={TONES[state]} title="It is part of the present">
          in the present
        </Badge>
      );
  }
};
