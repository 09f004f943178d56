import type { SQLInputValue } from '../host/index.ts';
import { isCheckpoint, lineOf, type OperationId, type Recorded } from '../model/index.ts';

export type Run = (sql: string, ...values: SQLInputValue[]) => void;

/** Takes an operation in, with what it says of others. */
export const take = (run: Run, operation: Recorded): void => {
  const { sequence, id, session, kind, description } = operation;
  const own = isCheckpoint(operation) ? operation : undefined;
  run(
    `INSERT OR IGNORE INTO operations (sequence, id, session, kind, checkpoint, content, name, note, description, event, turn, line, body)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13 WHERE NOT EXISTS (SELECT 1 FROM deleted WHERE deleted.id = ?2)`,
    sequence,
    id,
    session,
    kind,
    own ? 1 : 0,
    operation.state === null ? 0 : 1,
    own?.name ?? null,
    own?.note ?? null,
    description,
    own?.event?.key ?? null,
    own?.event?.turn ?? null,
    lineOf(operation),
    JSON.stringify(operation),
  );
  if (operation.kind === 'name') run('UPDATE operations SET name = ? WHERE id = ?', operation.name || null, operation.target);
  if (operation.kind === 'note') run('UPDATE operations SET note = ? WHERE id = ?', operation.note || null, operation.target);
  if (operation.kind === 'pin') run('UPDATE operations SET pinned = ? WHERE id = ?', operation.pinned ? 1 : 0, operation.target);
  if (operation.kind === 'prune') for (const target of operation.targets) forget(run, target);
  if (operation.kind === 'delete') {
    forget(run, operation.target);
    run('INSERT OR IGNORE INTO deleted VALUES (?, ?)', operation.target, operation.was ?? null);
  }
};

/** What the record after it changed was counted from it. */
const forget = (run: Run, id: OperationId): void => {
  const sequence = '(SELECT sequence FROM operations WHERE id = ?1)';
  const next = `(SELECT id FROM operations WHERE content = 1 AND sequence > ${sequence} ORDER BY sequence LIMIT 1)`;
  run(`DELETE FROM counts WHERE id = ?1 OR id = ${next}`, id);
  run('DELETE FROM operations WHERE id = ?', id);
};
