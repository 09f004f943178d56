import { ask } from '../client/ask.ts';
import type { Turn } from '../client/types.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { Menu } from '../parts/menu.tsx';
import { usePlans } from '../plan/plans.tsx';
import type { CheckpointActions } from './checkpoint-actions.tsx';

interface UnrecordedMenuProps {
  readonly session: string;
  readonly turn: Turn;
  readonly onFork: CheckpointActions['fork'];
}

/** What can be done with a turn whose code is not recorded: the conversation alone goes back, or on from there. */
export const UnrecordedMenu = ({ session, turn: { number, title, branch }, onFork }: UnrecordedMenuProps) => {
  const workspace = useWorkspaceId();
  const { runPlan } = usePlans();
  const query = branch === null ? {} : { branch };
  const at = { params: { session, checkpoint: `t${number}` }, workspace };
  const target = { id: `t${number}`, description: title, name: null, pinned: false, ...(branch === null ? {} : { onBranch: branch }) };
  const rewind = (): void =>
    runPlan({
      title: `Rewind the conversation to before turn ${number}`,
      action: 'Rewind the conversation',
      preview: (_, signal) => ask('previewRollback', { ...at, query: { scope: 'conversation', ...query }, signal }),
      apply: ({ expectedTree, job, branching }) =>
        ask('rollBack', { ...at, query, body: { scope: 'conversation', expectedTree, job, ...branching } }),
      said: () => `The conversation is back before turn ${number}; the files stay as they are`,
    });
  return (
    <Menu
      isSmall
      label="Rewind"
      name={`Rewind to before turn ${number}`}
      icon="back"
      items={[
        { label: 'Rewind conversation', icon: 'message', onChoose: rewind },
        { label: 'Fork from here', icon: 'fork', onChoose: () => void onFork(target) },
        { label: 'Summarize from here', icon: 'down', onChoose: () => void onFork(target, 'from') },
        { label: 'Summarize up to here', icon: 'up', onChoose: () => void onFork(target, 'upto') },
      ]}
    />
  );
};
