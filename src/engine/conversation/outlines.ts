import { statSync } from 'node:fs';
import { RetakeError, toText } from '../../model/index.ts';
import { type Outline, outlineOf } from '../../timeline/index.ts';
import { TRANSCRIPT_AGENTS, Transcript, type TranscriptFile, transcriptsOf } from '../../transcript/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { whyNotToldFile } from './told-file.ts';

/** Changes when outlines come to say something else of the same file. */
const VERSION = 2;

/** Conversations kept open, so that of one that grows only the new part is read; larger ones would take too much memory. */
const MOST_OPEN = 2;
const LARGEST_OPEN = 8 << 20;

/** The conversations of a workspace, those from before Retake too. What did not change since is not read again. */
export const readOutlines = (workspace: Workspace): Outline[] => {
  const cache = caches.get(workspace) ?? new OutlineCache(workspace);
  caches.set(workspace, cache);
  return cache.outlines();
};

const caches = new WeakMap<Workspace, OutlineCache>();

class OutlineCache {
  readonly #workspace: Workspace;
  #known = new Map<string, Known>();
  /** What earlier processes found, until it is asked for. */
  #remembered: Map<string, { readonly stamp: string; readonly memo: string }> | undefined;
  /** Read just now. */
  readonly #fresh = new Set<string>();
  /** The one used last is last. */
  readonly #open = new Map<string, Transcript>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  outlines(): Outline[] {
    const before = this.#known;
    this.#known = new Map();
    for (const file of this.#files((path) => before.get(path))) {
      const known = before.get(file.path);
      const stamp = stampOf(file);
      const outline = known?.stamp === stamp ? known.outline : (this.#recall(file) ?? this.#read(file));
      if (outline !== undefined) this.#known.set(file.path, { stamp, outline });
    }
    this.#remember();
    for (const path of this.#open.keys()) if (!this.#known.has(path)) this.#open.delete(path);
    return [...this.#known.values()].map(({ outline }) => outline);
  }

  /** In the agents' folders for this workspace, and wherever else an agent said that it keeps one. */
  #files(known: (path: string) => Known | undefined): TranscriptFile[] {
    // Looking leaves no trace where nothing is protected.
    const index = this.#workspace.isProtected ? this.#workspace.index : undefined;
    this.#remembered ??= index?.recallAll(SUBJECT);
    const isKnown = ({ path }: TranscriptFile): boolean => known(path) !== undefined || this.#remembered?.has(path) === true;
    const files = TRANSCRIPT_AGENTS.flatMap((agent) => transcriptsOf(agent, toText(this.#workspace.root), isKnown));
    const paths = new Set(files.map(({ path }) => path));
    for (const told of index?.toldTranscripts() ?? []) {
      const stat = paths.has(told.path) ? undefined : statSync(told.path, { throwIfNoEntry: false });
      if (!stat?.isFile()) continue;
      const file = { ...told, bytes: stat.size, modifiedAt: stat.mtime.toISOString() };
      const wasRead = [known(told.path)?.stamp, this.#remembered?.get(told.path)?.stamp].includes(stampOf(file));
      if (wasRead || whyNotToldFile(this.#workspace, file) === null) files.push(file);
    }
    return files;
  }

  #recall(file: TranscriptFile): Outline | undefined {
    const remembered = this.#remembered?.get(file.path);
    this.#remembered?.delete(file.path);
    return remembered?.stamp === stampOf(file) ? (JSON.parse(remembered.memo) as Outline) : undefined;
  }

  #read(file: TranscriptFile): Outline | undefined {
    try {
      const transcript = this.#open.get(file.path) ?? Transcript.open(file);
      transcript.refresh();
      this.#keepOpen(file, transcript);
      this.#fresh.add(file.path);
      return outlineOf(file, transcript.messages, transcript.leaf);
    } catch (error) {
      // Deleted or replaced this very moment, or not ours to read: the others are shown all the same.
      if (error instanceof RetakeError) return undefined;
      throw error;
    }
  }

  /** For other processes, and for the next one. */
  #remember(): void {
    const memos = [...this.#fresh].map((path) => {
      const { stamp, outline } = this.#known.get(path) as Known;
      return { subject: `${SUBJECT}${path}`, stamp, memo: outline };
    });
    this.#fresh.clear();
    if (this.#workspace.isProtected) this.#workspace.index.rememberAll(memos);
  }

  #keepOpen({ path, bytes }: TranscriptFile, transcript: Transcript): void {
    this.#open.delete(path);
    if (bytes <= LARGEST_OPEN) this.#open.set(path, transcript);
    for (const oldest of [...this.#open.keys()].slice(0, -MOST_OPEN)) this.#open.delete(oldest);
  }
}

interface Known {
  readonly stamp: string;
  readonly outline: Outline;
}

const SUBJECT = 'outline ';

const stampOf = ({ bytes, modifiedAt }: TranscriptFile): string => `${VERSION} ${bytes} ${modifiedAt}`;
