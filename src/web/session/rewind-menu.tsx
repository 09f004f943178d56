import { Menu } from '../parts/menu.tsx';
import { usePlans } from '../plan/plans.tsx';
import type { ActionTarget, CheckpointActions } from './checkpoint-actions.tsx';

interface RewindMenuProps {
  readonly session: string;
  readonly target: ActionTarget;
  readonly onFork: CheckpointActions['fork'];
  /** What it goes back to, for those who do not see where the button is. */
  readonly name: string;
}

/** All ways to go back to a place in the conversation, or on from it. */
export const RewindMenu = ({ session, target, onFork, name }: RewindMenuProps) => {
  const { rollBack } = usePlans();
  const go = (scope: 'code' | 'conversation' | 'both') => () => rollBack({ session, checkpoint: target.id, scope });
  return (
    <Menu
      isSmall
      label="Rewind"
      name={name}
      icon="back"
      items={[
        { label: 'Rewind code and conversation', icon: 'back', onChoose: go('both') },
        { label: 'Rewind code', icon: 'file', onChoose: go('code') },
        { label: 'Rewind conversation', icon: 'message', onChoose: go('conversation') },
        { label: 'Fork from here', icon: 'fork', onChoose: () => void onFork(target) },
        { label: 'Summarize from here', icon: 'down', onChoose: () => void onFork(target, 'from') },
        { label: 'Summarize up to here', icon: 'up', onChoose: () => void onFork(target, 'upto') },
      ]}
    />
  );
};
