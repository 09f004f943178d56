import type { WrittenMember } from './tar-writer.ts';

/** What an export says of itself, in `manifest.json`. */
export interface ExportManifest {
  readonly format: 1;
  readonly what: 'retake session';
  /** The version of Retake that made it. */
  readonly madeBy: string;
  readonly exportedAt: string;
  readonly session: string;
  readonly operations: number;
  readonly checkpoints: number;
  /** Null where the conversation is not in it. */
  readonly conversation: { readonly agent: string; readonly messages: number } | null;
  readonly excluded: {
    readonly patterns: readonly string[];
    readonly paths: readonly { readonly path: string; readonly pathBase64?: string }[];
  };
  /** Every other file in it. */
  readonly files: readonly WrittenMember[];
}

export const FORMAT = 1;
export const WHAT = 'retake session';
