import { homedir } from 'node:os';
import { AGENT_NAMES } from '../../agents/setup.ts';
import { type KnownWord, knownWords, SETTING_KEYS, type WordKind, Workspace } from '../../engine/index.ts';
import type { SessionId } from '../../model/index.ts';

/** Words of a kind that begin like this, where the workspace or the program knows which there are. */
export const wordsOfKind = async (
  kind: WordKind | 'agent' | 'setting',
  given: ReadonlyMap<string, string>,
  beginning: string,
): Promise<KnownWord[]> => {
  if (kind === 'agent') return plain(AGENT_NAMES);
  if (kind === 'setting') return plain(SETTING_KEYS);
  const directory = given.get('directory')?.replace(/^~(?=\/|$)/, homedir()) ?? '.';
  // As it is: neither is a rollback that was cut short completed, nor is anybody waited for.
  const workspace = await Workspace.open({ directory, asIs: true });
  try {
    return knownWords(workspace, kind, { session: given.get('session') as SessionId | undefined, beginning });
  } finally {
    workspace.close();
  }
};

const plain = (words: readonly string[]): KnownWord[] => words.map((word) => ({ word, meaning: '' }));
