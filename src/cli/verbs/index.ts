import type { Command } from 'commander';
import { type GROUPS, listVerb } from '../verb.ts';

/** A file of verbs, with what the list of all verbs tells of each. */
interface VerbFile {
  /** Gives what says what its verbs take and do. */
  readonly load: () => Promise<(program: Command) => void>;
  readonly verbs: Readonly<Record<string, readonly [group: keyof typeof GROUPS, summary: string]>>;
}

/** Every verb, in the order of the list. A command line needs the file of one verb, or of none: the others are not loaded. */
const FILES: readonly VerbFile[] = [
  {
    load: async () => (await import('./recording.ts')).addRecordingVerbs,
    verbs: {
      checkpoint: ['record', 'record the workspace as it is now'],
      note: ['record', 'add a note to a checkpoint'],
      pin: ['record', 'keep a checkpoint until you delete it'],
      delete: ['record', 'take a checkpoint out of the log'],
    },
  },
  {
    load: async () => (await import('./status.ts')).addStatusVerb,
    verbs: {
      status: ['look', 'what is protected and what is recorded'],
    },
  },
  {
    load: async () => (await import('./log.ts')).addLogVerbs,
    verbs: {
      log: ['look', 'everything recorded, newest first'],
      search: ['look', 'find checkpoints by their words'],
    },
  },
  {
    load: async () => (await import('./show.ts')).addShowVerb,
    verbs: {
      show: ['look', 'one checkpoint or rollback in full'],
    },
  },
  {
    load: async () => (await import('./diff.ts')).addDiffVerb,
    verbs: {
      diff: ['look', 'what differs between two checkpoints, or one and now'],
    },
  },
  {
    load: async () => (await import('./blame.ts')).addBlameVerb,
    verbs: {
      blame: ['look', 'who wrote each line of a file'],
    },
  },
  {
    load: async () => (await import('./rollback.ts')).addRollbackVerbs,
    verbs: {
      rewind: ['back', 'bring the workspace back to a checkpoint'],
      undo: ['back', 'take back the last rollback, or a certain one'],
      redo: ['back', 'take back the last undo'],
      rollbacks: ['back', 'every rollback and undo'],
    },
  },
  {
    load: async () => (await import('./recovery.ts')).addRecoveryVerbs,
    verbs: {
      discard: ['back', "take a session's work out; your edits stay"],
      revert: ['back', 'undo just one step, turn or agent'],
      recover: ['back', 'bring back what was rolled back'],
    },
  },
  {
    load: async () => (await import('./conversation.ts')).addConversationVerbs,
    verbs: {
      sessions: ['conversations', "agents' conversations, and what became of each"],
      fork: ['conversations', 'a new session that goes on from a checkpoint'],
      summarize: ['conversations', 'a new session with one part summed up'],
    },
  },
  {
    load: async () => (await import('./report.ts')).addReportVerb,
    verbs: {
      report: ['conversations', 'what an agent did, as a document'],
    },
  },
  {
    load: async () => (await import('./forks.ts')).addForkVerbs,
    verbs: {
      forks: ['conversations', 'the branches of the conversations, with their code'],
      compare: ['conversations', 'what two branches made of the code'],
      switch: ['conversations', 'go to another branch: code and conversation'],
      merge: ['conversations', 'take the code of one branch into the other'],
    },
  },
  {
    load: async () => (await import('./reflog.ts')).addReflogVerbs,
    verbs: {
      reflog: ['git', "where your git's branches have been"],
    },
  },
  {
    load: async () => (await import('./health.ts')).addHealthVerb,
    verbs: {
      health: ['git', 'how your git and the store are doing'],
    },
  },
  {
    load: async () => (await import('./keep.ts')).addKeepVerbs,
    verbs: {
      keep: ['git', "put a session's work on your branch, as commits"],
      branch: ['git', 'a git branch with the files of a checkpoint'],
    },
  },
  {
    load: async () => (await import('./check.ts')).addCheckVerb,
    verbs: {
      check: ['store', 'whether all that was recorded is there'],
    },
  },
  {
    load: async () => (await import('./repair.ts')).addRepairVerb,
    verbs: {
      repair: ['store', 'mend what is damaged, list what is lost'],
    },
  },
  {
    load: async () => (await import('./rebuild.ts')).addRebuildVerb,
    verbs: {
      rebuild: ['store', 'make the index anew from the store'],
    },
  },
  {
    load: async () => (await import('./gc.ts')).addGcVerb,
    verbs: {
      gc: ['store', 'give up what is too old, and pack the rest'],
    },
  },
  {
    load: async () => (await import('./adopt.ts')).addAdoptVerb,
    verbs: {
      adopt: ['store', 'go on from the records of a directory that was moved'],
    },
  },
  {
    load: async () => (await import('./exchange.ts')).addExchangeVerbs,
    verbs: {
      export: ['store', 'a session as one file'],
      import: ['store', 'a session from such a file'],
    },
  },
  {
    load: async () => (await import('./daemon.ts')).addDaemonVerbs,
    verbs: {
      daemon: ['service', 'the background process: start, stop, status'],
    },
  },
  {
    load: async () => (await import('./serve.ts')).addServeVerb,
    verbs: {
      serve: ['service', 'the page for your browser'],
    },
  },
  {
    load: async () => (await import('./setup.ts')).addSetupVerb,
    verbs: {
      setup: ['service', "put Retake's hooks into an agent's settings"],
    },
  },
  {
    load: async () => (await import('./settings.ts')).addSettingsVerb,
    verbs: {
      settings: ['service', 'what can be set, and what is'],
    },
  },
  {
    load: async () => (await import('./completion.ts')).addCompletionVerb,
    verbs: {
      completion: ['service', 'have your shell complete verbs, options and names'],
    },
  },
];

export const listVerbs = (program: Command): void => {
  for (const { load, verbs } of FILES) {
    let reading: Promise<void> | undefined;
    const read = (): Promise<void> => {
      reading ??= load().then((describe) => describe(program));
      return reading;
    };
    for (const [name, [group, summary]] of Object.entries(verbs)) listVerb(program, name, { group, summary, read });
  }
};
