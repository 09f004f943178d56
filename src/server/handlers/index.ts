import type { RouteName } from '../../api/index.ts';
import type { HandlersOf } from '../handler.ts';
import { checkpointHandlers } from './checkpoints.ts';
import { commitHandlers } from './commits.ts';
import { diffHandlers } from './diffs.ts';
import { eventHandlers } from './events.ts';
import { exportHandlers } from './exports.ts';
import { fileHandlers } from './files.ts';
import { forkHandlers } from './forks.ts';
import { healthHandlers } from './health.ts';
import { jobHandlers } from './jobs.ts';
import { keepHandlers } from './keep.ts';
import { messageHandlers } from './messages.ts';
import { recoveryHandlers } from './recovery.ts';
import { reflogHandlers } from './reflog.ts';
import { rollbackHandlers } from './rollback.ts';
import { searchHandlers } from './search.ts';
import { sessionHandlers } from './sessions.ts';
import { settingsHandlers } from './settings.ts';
import { signInHandlers } from './sign-in.ts';
import { turnHandlers } from './turns.ts';
import { workspaceHandlers } from './workspaces.ts';

/** What answers each route. */
export const HANDLERS: HandlersOf<RouteName> = {
  ...signInHandlers,
  ...workspaceHandlers,
  ...sessionHandlers,
  ...turnHandlers,
  ...checkpointHandlers,
  ...messageHandlers,
  ...fileHandlers,
  ...searchHandlers,
  ...settingsHandlers,
  ...diffHandlers,
  ...rollbackHandlers,
  ...jobHandlers,
  ...eventHandlers,
  ...commitHandlers,
  ...recoveryHandlers,
  ...keepHandlers,
  ...forkHandlers,
  ...reflogHandlers,
  ...healthHandlers,
  ...exportHandlers,
};
