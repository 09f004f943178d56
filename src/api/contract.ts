import { diffRoutes } from './diffs.ts';
import { eventRoutes } from './events.ts';
import { jobRoutes } from './jobs.ts';
import { rollbackRoutes } from './rollback.ts';
import type { Route } from './route.ts';
import { sessionRoutes } from './sessions.ts';
import { settingsRoutes } from './settings.ts';
import { signInRoutes } from './sign-in.ts';
import { workspaceRoutes } from './workspaces.ts';

/** Everything that can be asked for, by the name that OpenAPI calls `operationId`. */
export const ROUTES = {
  ...signInRoutes,
  ...workspaceRoutes,
  ...sessionRoutes,
  ...settingsRoutes,
  ...diffRoutes,
  ...rollbackRoutes,
  ...jobRoutes,
  ...eventRoutes,
} satisfies Readonly<Record<string, Route>>;

export type Routes = typeof ROUTES;
export type RouteName = keyof Routes;

export const ROUTE_NAMES = Object.keys(ROUTES) as RouteName[];
