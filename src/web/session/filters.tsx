import type { CheckpointFilter } from '../client/queries.ts';
import type { SessionDetails } from '../client/types.ts';
import { Button } from '../parts/button.tsx';
import { kindOf } from '../parts/kinds.ts';
import { visible } from '../parts/words.ts';
import classes from './filters.module.css';

const KINDS = ['session-start', 'prompt', 'before-step', 'after-step', 'turn-end', 'session-end', 'manual', 'compact', 'safety'];

interface FiltersProps {
  readonly session: SessionDetails | undefined;
  readonly filter: CheckpointFilter;
  readonly onChange: (filter: CheckpointFilter) => void;
}

/** What of the timeline is shown. */
export const Filters = ({ session, filter, onChange }: FiltersProps) => {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const choose = (key: 'kind' | 'tool' | 'agentId') => (value: string) => onChange({ ...filter, [key]: value === '' ? undefined : value });
  return (
    <div className={classes.filters}>
      <Choose
        label="Kind"
        value={filter.kind}
        all="All kinds"
        options={KINDS}
        nameOf={(kind) => kindOf(kind).label}
        onChoose={choose('kind')}
      />
      <Choose label="Tool" value={filter.tool} all="All tools" options={session?.tools ?? []} onChoose={choose('tool')} />
      <Choose label="Agent" value={filter.agentId} all="All agents" options={session?.agents ?? []} onChoose={choose('agentId')} />
      <Button
        look="quiet"
        isSmall
        icon="fork"
        aria-pressed={filter.forkPoints === true}
        onClick={() => onChange({ ...filter, forkPoints: filter.forkPoints ? undefined : true })}
      >
        Fork points
      </Button>
      {isFiltered && (
        <Button look="quiet" isSmall onClick={() => onChange({})}>
          Show all
        </Button>
      )}
    </div>
  );
};

interface ChooseProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly all: string;
  readonly options: readonly string[];
  readonly nameOf?: (option: string) => string;
  readonly onChoose: (value: string) => void;
}

const Choose = ({ label, value = '', all, options, nameOf = visible, onChoose }: ChooseProps) => (
  <select className={classes.select} aria-label={label} value={value} onChange={({ target }) => onChoose(target.value)}>
    <option value="">{all}</option>
    {options.map((option) => (
      <option key={option} value={option}>
        {nameOf(option)}
      </option>
    ))}
  </select>
);
