import { useAnswer } from '../client/queries.ts';
import { Button } from '../parts/button.tsx';
import { absoluteTime } from '../parts/words.ts';
import { usePlans } from '../plan/plans.tsx';

/** Takes the newest rollback back, whatever kind it was. */
export const UndoLast = () => {
  const { data } = useAnswer('listRollbacks', { query: { limit: 1 } });
  const { undo } = usePlans();
  const last = data?.rollbacks[0];
  if (last === undefined || last.outcome === 'taken-back') return null;
  const words = last.undoes === null ? `Undo the last ${last.type}` : 'Take the last undo back';
  return (
    <Button icon="back" title={absoluteTime(last.createdAt)} onClick={() => undo(last.id)}>
      {words}
    </Button>
  );
};
