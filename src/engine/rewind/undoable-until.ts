import { now } from '../../host/index.ts';
import { stepStatusUntil } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';

const DAY = 86_400_000;

/**
 * Until when a rollback made at a time is not too old to be undone: its record goes then, and with it the safety checkpoint (STO-3). Null
 * where that is later than a date can tell.
 */
export const undoableUntil = ({ settings }: Workspace, madeAt: string = now().toISOString()): string | null =>
  stepStatusUntil(now(), Date.parse(madeAt) + settings['retention.rolledBackDays'] * DAY).expiresAt;
