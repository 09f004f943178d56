import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Link, Redirect } from 'wouter';
import { ApiError } from '../api/index.ts';
import { LiveProvider } from './client/live.tsx';
import { WorkspaceProvider } from './client/workspace.tsx';
import { useWorkspaces } from './client/workspaces.ts';
import { Page } from './parts/page.tsx';
import { Empty, Loading, Problem } from './parts/states.tsx';
import { ToastProvider } from './parts/toasts.tsx';
import { PlanProvider } from './plan/plans.tsx';
import { SessionView } from './session/session-view.tsx';
import { SessionsView } from './sessions/sessions-view.tsx';
import { useParts } from './shell/address.ts';
import { CommandProvider } from './shell/commands.tsx';
import { lazyView } from './shell/lazy-view.tsx';
import { type Place, placeAt } from './shell/place.ts';
import { Shell } from './shell/shell.tsx';
import { Unbroken } from './shell/unbroken.tsx';

// What is opened first is loaded first.
const DiffView = lazyView(async () => (await import('./diff/diff-view.tsx')).DiffView);
const CompareView = lazyView(async () => (await import('./forks/compare-view.tsx')).CompareView);
const ForksView = lazyView(async () => (await import('./forks/forks-view.tsx')).ForksView);
const GitView = lazyView(async () => (await import('./git/git-view.tsx')).GitView);
const RollbacksView = lazyView(async () => (await import('./plan/rollbacks-view.tsx')).RollbacksView);
const RecoverView = lazyView(async () => (await import('./recover/recover-view.tsx')).RecoverView);
const SearchView = lazyView(async () => (await import('./search/search-view.tsx')).SearchView);
const SettingsView = lazyView(async () => (await import('./settings/settings-view.tsx')).SettingsView);

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // Events tell when something is to be asked again.
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      // The server is on this machine: it answers without a network too.
      networkMode: 'always',
      retry: (failures, error) => failures < 2 && (!(error instanceof ApiError) || error.status === 503),
    },
  },
});

export const App = () => (
  <Unbroken>
    <QueryClientProvider client={client}>
      <ToastProvider>
        <CommandProvider>
          <Addressed />
        </CommandProvider>
      </ToastProvider>
    </QueryClientProvider>
  </Unbroken>
);

/** What the address names. */
const Addressed = () => {
  const parts = useParts();
  if (parts === undefined) return <Unreadable />;
  const [root, workspace = '', ...place] = parts;
  return root === 'w' && workspace !== '' ? <InWorkspace key={workspace} workspace={workspace} place={placeAt(place)} /> : <Entrance />;
};

const Unreadable = () => (
  <main>
    <Page title="Nothing here">
      <Empty title="This address can not be read">
        <p>
          Something in it is no text. <Link href="/">Look at the sessions</Link>
        </p>
      </Empty>
    </Page>
  </main>
);

/** The workspace that `retake serve` was called in last. */
const Entrance = () => {
  const { data, error, refetch } = useWorkspaces();
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  const first = data.find(({ isDefault }) => isDefault) ?? data[0];
  if (first !== undefined) return <Redirect to={`/w/${encodeURIComponent(first.id)}`} replace />;
  return (
    <Empty title="Nothing is recorded yet">
      <p>
        Run <code>retake checkpoint</code> in a project, or <code>retake setup claude-code</code> to have every step of the agent recorded.
      </p>
    </Empty>
  );
};

const InWorkspace = ({ workspace, place }: { workspace: string; place: Place }) => (
  <WorkspaceProvider value={workspace}>
    <LiveProvider>
      <PlanProvider>
        <Shell view={place.view}>
          <Suspense fallback={<Loading />}>
            <View place={place} />
          </Suspense>
        </Shell>
      </PlanProvider>
    </LiveProvider>
  </WorkspaceProvider>
);

/** Each with a key of what it is about: while another is read, nothing of the one before stands in its place. */
const View = ({ place }: { place: Place }) => {
  switch (place.view) {
    case 'sessions':
      return <SessionsView />;
    case 'session':
      return <SessionView key={place.session} session={place.session} checkpoint={place.checkpoint} />;
    case 'diff':
      return <DiffView subject={place.subject} />;
    case 'forks':
      return <ForksView key={place.session} session={place.session} />;
    case 'compare':
      return <CompareView key={JSON.stringify(place)} session={place.session} a={place.a} b={place.b} />;
    case 'recover':
      return <RecoverView key={place.session} session={place.session} />;
    case 'rollbacks':
      return <RollbacksView />;
    case 'git':
      return <GitView />;
    case 'search':
      return <SearchView />;
    case 'settings':
      return <SettingsView />;
    case 'nothing':
      return (
        <Page title="Nothing here">
          <Empty title="There is nothing at this address" />
        </Page>
      );
  }
};
