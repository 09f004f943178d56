import type { Checkpoint } from '../client/types.ts';
import { Badge } from './badge.tsx';
import { visible } from './words.ts';

type RolledBackProps = Pick<Checkpoint, 'rolledBack' | 'remaining'> & {
  /** What is said where all of it went back. */
  readonly children?: string;
};

/** Nothing where it was not taken back. */
export const RolledBack = ({ rolledBack, remaining, children = 'rolled back' }: RolledBackProps) => {
  if (rolledBack === null) return null;
  if (remaining === null || rolledBack === 'conversation') return <Badge tone="warn">{children}</Badge>;
  const still = [...remaining.outside.map(visible), ...(remaining.git ? ['what it did in git'] : [])];
  return (
    <Badge tone="warn" title={`Still there: ${still.join(', ')}`}>
      partly rolled back
    </Badge>
  );
};
