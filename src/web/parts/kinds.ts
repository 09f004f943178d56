import type { IconName } from './icon.tsx';

interface Kind {
  readonly label: string;
  readonly icon: IconName;
}

/** What kinds of records are called, and how they are drawn. */
const KINDS: Readonly<Record<string, Kind>> = {
  'session-start': { label: 'Session started', icon: 'right' },
  prompt: { label: 'Prompt', icon: 'message' },
  'before-step': { label: 'Changed in between', icon: 'user' },
  'after-step': { label: 'Step', icon: 'agent' },
  'turn-end': { label: 'Turn ended', icon: 'check' },
  'session-end': { label: 'Session ended', icon: 'check' },
  manual: { label: 'Checkpoint', icon: 'pin' },
  'fork-point': { label: 'Fork', icon: 'fork' },
  compact: { label: 'Conversation compacted', icon: 'copy' },
  safety: { label: 'Before a rollback', icon: 'back' },
  rollback: { label: 'Rollback', icon: 'back' },
  undo: { label: 'Undo', icon: 'forward' },
  redo: { label: 'Redo', icon: 'back' },
  discard: { label: 'Discard', icon: 'trash' },
  switch: { label: 'Switch', icon: 'fork' },
  merge: { label: 'Merge', icon: 'fork' },
  revert: { label: 'Revert', icon: 'back' },
  recover: { label: 'Recover', icon: 'forward' },
  keep: { label: 'Keep', icon: 'check' },
  fork: { label: 'Fork', icon: 'fork' },
};

export const kindOf = (kind: string): Kind => KINDS[kind] ?? { label: kind, icon: 'clock' };
