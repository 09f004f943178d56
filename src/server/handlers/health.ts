import { readHealth } from '../../engine/index.ts';
import type { HandlersOf } from '../handler.ts';

export const healthHandlers: HandlersOf<'getHealth'> = {
  getHealth: ({ workspace }) => readHealth(workspace),
};
