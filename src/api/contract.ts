import { checkpointRoutes } from './checkpoints.ts';
import { commitRoutes } from './commits.ts';
import { diffRoutes } from './diffs.ts';
import { eventRoutes } from './events.ts';
import { exportRoutes } from './exports.ts';
import { fileRoutes } from './files.ts';
import { forkRoutes } from './forks.ts';
import { healthRoutes } from './health.ts';
import { jobRoutes } from './jobs.ts';
import { keepRoutes } from './keep.ts';
import { messageRoutes } from './messages.ts';
import { recoveryRoutes } from './recovery.ts';
import { reflogRoutes } from './reflog.ts';
import { rollbackRoutes } from './rollback.ts';
import type { Route } from './route.ts';
import { searchRoutes } from './search.ts';
import { sessionRoutes } from './sessions.ts';
import { settingsRoutes } from './settings.ts';
import { signInRoutes } from './sign-in.ts';
import { turnRoutes } from './turns.ts';
import { workspaceRoutes } from './workspaces.ts';

/** Everything that can be asked for, by the name that OpenAPI calls `operationId`. */
export const ROUTES = {
  ...signInRoutes,
  ...workspaceRoutes,
  ...sessionRoutes,
  ...turnRoutes,
  ...checkpointRoutes,
  ...messageRoutes,
  ...fileRoutes,
  ...searchRoutes,
  ...settingsRoutes,
  ...diffRoutes,
  ...rollbackRoutes,
  ...jobRoutes,
  ...eventRoutes,
  ...commitRoutes,
  ...recoveryRoutes,
  ...keepRoutes,
  ...forkRoutes,
  ...reflogRoutes,
  ...healthRoutes,
  ...exportRoutes,
} satisfies Readonly<Record<string, Route>>;

export type Routes = typeof ROUTES;
export type RouteName = keyof Routes;

export const ROUTE_NAMES = Object.keys(ROUTES) as RouteName[];
