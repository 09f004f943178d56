import { RetakeError } from '../../model/index.ts';
import type { Content } from '../../store/index.ts';
import type { Workspace } from '../core/workspace.ts';

/** The workspace as it was recorded last; null where that is damaged. */
export const contentBefore = ({ store, index }: Workspace): Content | null => {
  const newest = index.newestContent();
  if (newest?.state == null) return null;
  try {
    return { state: newest.state, manifest: store.log.manifest(newest.id) };
  } catch (error) {
    if (error instanceof RetakeError && error.code === 'store-damaged') return null;
    throw error;
  }
};
