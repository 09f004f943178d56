import type { LogEntry } from '../engine/index.ts';
import type { Recorded } from '../model/index.ts';
import { oneLine, paint } from './output.ts';

/** Whose doing a record is, where that is not simply the step's whose record it is. */
export const describeOwners = ({ id }: Pick<Recorded, 'id'>, by: LogEntry['by'], owners: LogEntry['owners'] = []): string[] => {
  const others = owners.filter((owner) => owner.id !== id).map(({ description }) => oneLine(description));
  return [
    ...(others.length === 0 ? [] : [paint('cyan', `with ${others.slice(0, MOST).join(', ')}${more(others.length - MOST)}`)]),
    ...(by === 'person' ? [paint('green', 'yours')] : []),
    ...(by === 'unknown' ? [paint('dim', 'by whom is not known')] : []),
    ...(by === 'both' ? [paint('green', 'partly yours')] : []),
  ];
};

const MOST = 2;

const more = (count: number): string => (count > 0 ? ` and ${count} more` : '');
