import { type Action, World } from './world.ts';

/** Changes workspaces on behalf of a test, in a process of its own. */
process.on('message', ({ root, isRepository, action }: { root: string; isRepository: boolean; action: Action }) => {
  World.at(root, isRepository).perform(action);
  process.send?.('done');
});
