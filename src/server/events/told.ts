import type { ServerEvent } from '../../api/index.ts';
import { type LogEntry, type LogPosition, positionOf } from '../../engine/index.ts';
import { isCheckpoint, lineOf } from '../../model/index.ts';
import { frame } from './frame.ts';
import { encodePosition } from './position.ts';

const LONGEST_TEXT = 500;

type Told = Pick<LogEntry, 'operation' | 'name'>;

/**
 * The frames of one operation. Only the last has an id, so that who is cut off between them and comes again is told all of them again rather
 * than some of them never.
 */
export const framesOf = (entry: Told, log: LogPosition['log']): string => {
  const events = eventsOf(entry);
  const id = encodePosition(positionOf(entry.operation, log));
  return events.map((event, at) => frame(event, at === events.length - 1 ? id : undefined)).join('');
};

const eventsOf = ({ operation, name }: Told): ServerEvent[] => {
  const { id, sequence, kind, session, createdAt } = operation;
  const description = operation.description.slice(0, LONGEST_TEXT);
  const recorded: ServerEvent = { event: 'operation', data: { id, sequence, kind, session, description, name, createdAt } };
  const more = lineOf(operation) === null ? moreOf(operation) : undefined;
  return more === undefined ? [recorded] : [recorded, more];
};

/** Of what happened here; what was imported happened elsewhere. */
const moreOf = (operation: Told['operation']): ServerEvent | undefined => {
  const { id, session } = operation;
  if (operation.kind === 'fork-point') {
    const { sessions, at, children, checkpoint } = operation;
    return { event: 'fork', data: { operation: id, session, sessions: [...sessions], at, children: [...children], checkpoint } };
  }
  const agent = (isCheckpoint(operation) ? operation.event?.place.agent : undefined) ?? null;
  if (operation.kind === 'session-start') return { event: 'session-started', data: { operation: id, session, agent } };
  if (operation.kind === 'session-end') return { event: 'session-ended', data: { operation: id, session, agent } };
  return undefined;
};
