import { useAnswer } from '../client/queries.ts';
import { Button } from '../parts/button.tsx';
import { absoluteTime } from '../parts/words.ts';
import { useOwnPlans } from '../plan/plans.tsx';
import { originsOf } from '../plan/rollback-history.ts';

/** So many that the newest can be followed to what it turns around. */
const FAR_BACK = 50;

/** Takes the newest rollback back, whatever kind it was. */
export const UndoLast = () => {
  const { data } = useAnswer('listRollbacks', { query: { limit: FAR_BACK } });
  const { undo } = useOwnPlans();
  const last = data?.rollbacks[0];
  if (data === undefined || last === undefined || last.outcome === 'taken-back') return null;
  const depth = originsOf(data.rollbacks).get(last.id)?.depth ?? 0;
  const isUndo = depth % 2 === 1;
  const words = isUndo ? 'Take the last undo back' : `Undo the last ${depth > 0 ? 'redo' : last.type}`;
  return (
    <Button icon={isUndo ? 'forward' : 'back'} title={absoluteTime(last.createdAt)} onClick={() => undo(last.id, isUndo)}>
      {words}
    </Button>
  );
};
