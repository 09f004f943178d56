import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Redirect, Route, Switch } from 'wouter';
import { ApiError } from '../api/index.ts';
import { LiveProvider } from './client/live.tsx';
import { useServerAnswer } from './client/queries.ts';
import { WorkspaceProvider } from './client/workspace.tsx';
import { DiffView } from './diff/diff-view.tsx';
import { CompareView } from './forks/compare-view.tsx';
import { ForksView } from './forks/forks-view.tsx';
import { GitView } from './git/git-view.tsx';
import { Page } from './parts/page.tsx';
import { Empty, Loading, Problem } from './parts/states.tsx';
import { ToastProvider } from './parts/toasts.tsx';
import { PlanProvider } from './plan/plans.tsx';
import { RollbacksView } from './plan/rollbacks-view.tsx';
import { RecoverView } from './recover/recover-view.tsx';
import { SearchView } from './search/search-view.tsx';
import { SessionView } from './session/session-view.tsx';
import { SessionsView } from './sessions/sessions-view.tsx';
import { SettingsView } from './settings/settings-view.tsx';
import { CommandProvider } from './shell/commands.tsx';
import { Shell } from './shell/shell.tsx';

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // Events tell when something is to be asked again.
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 2 && (!(error instanceof ApiError) || error.status === 503),
    },
  },
});

export const App = () => (
  <QueryClientProvider client={client}>
    <ToastProvider>
      <CommandProvider>
        <Switch>
          <Route path="/w/:workspace/*?">
            {({ workspace }) => <InWorkspace key={workspace} workspace={decodeURIComponent(workspace)} />}
          </Route>
          <Route>
            <Entrance />
          </Route>
        </Switch>
      </CommandProvider>
    </ToastProvider>
  </QueryClientProvider>
);

/** The workspace that `retake serve` was called in last. */
const Entrance = () => {
  const { data, error, refetch } = useServerAnswer('listWorkspaces');
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  const first = data.workspaces.find(({ isDefault }) => isDefault) ?? data.workspaces[0];
  if (first !== undefined) return <Redirect to={`/w/${encodeURIComponent(first.id)}`} replace />;
  return (
    <Empty title="Nothing is recorded yet">
      <p>
        Run <code>retake checkpoint</code> in a project, or <code>retake setup claude-code</code> to have every step of the agent recorded.
      </p>
    </Empty>
  );
};

const InWorkspace = ({ workspace }: { workspace: string }) => (
  <WorkspaceProvider value={workspace}>
    <LiveProvider>
      <PlanProvider>
        <Shell>
          <Views />
        </Shell>
      </PlanProvider>
    </LiveProvider>
  </WorkspaceProvider>
);

const Views = () => (
  <Switch>
    <Route path="/w/:workspace">
      <SessionsView />
    </Route>
    <Route path="/w/:workspace/s/:session">{({ session }) => <SessionView session={session} />}</Route>
    <Route path="/w/:workspace/s/:session/c/:checkpoint">
      {({ session, checkpoint }) => <SessionView session={session} checkpoint={checkpoint} />}
    </Route>
    <Route path="/w/:workspace/s/:session/diff/:from/:to?">
      {({ session, from, to }) => <DiffView subject={{ of: 'checkpoints', session, from, to }} />}
    </Route>
    <Route path="/w/:workspace/s/:session/step/:step">{({ session, step }) => <DiffView subject={{ of: 'step', session, step }} />}</Route>
    <Route path="/w/:workspace/s/:session/changes">{({ session }) => <DiffView subject={{ of: 'session', session }} />}</Route>
    <Route path="/w/:workspace/s/:session/forks">{({ session }) => <ForksView session={session} />}</Route>
    <Route path="/w/:workspace/s/:session/compare/:a/:b">{({ session, a, b }) => <CompareView session={session} a={a} b={b} />}</Route>
    <Route path="/w/:workspace/s/:session/recover">{({ session }) => <RecoverView session={session} />}</Route>
    <Route path="/w/:workspace/rollbacks">
      <RollbacksView />
    </Route>
    <Route path="/w/:workspace/git">
      <GitView />
    </Route>
    <Route path="/w/:workspace/search">
      <SearchView />
    </Route>
    <Route path="/w/:workspace/settings">
      <SettingsView />
    </Route>
    <Route>
      <Page title="Nothing here">
        <Empty title="There is nothing at this address" />
      </Page>
    </Route>
  </Switch>
);
