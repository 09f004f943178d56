import type { Recorded, Rollback, RollbackLevel } from '../../model/index.ts';
import type { RollbackRequest } from './plan.ts';

const OF_VERB: Partial<Readonly<Record<RollbackRequest['verb'], RollbackLevel>>> = { Discard: 'session', Switch: 'fork', Merge: 'fork' };

/** What something that is about to be done goes back to. */
export const levelOfRequest = ({ verb, level, undoes, target, only, hunks }: Omit<RollbackRequest, 'git'>): RollbackLevel => {
  if (undoes !== undefined) return levelOf(undoes);
  const isWhole = verb === 'Rollback' && only === undefined && hunks === undefined;
  return level ?? OF_VERB[verb] ?? (isWhole && target.kind === 'session-start' ? 'session' : 'step');
};

const OF_KIND: Partial<Readonly<Record<Rollback['kind'], RollbackLevel>>> = { discard: 'session', switch: 'fork', merge: 'fork' };

/** What something that was done went back to. */
export const levelOf = ({ level, kind }: Recorded<Rollback>): RollbackLevel => level ?? OF_KIND[kind] ?? 'step';
