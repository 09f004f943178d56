/** A file that is served as it is: nothing of a user's is in it. */
export interface Page {
  readonly path: string;
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** Its name changes with its content, so that browsers may keep it. */
  readonly isIdentity?: boolean;
  /** What it will ask for as soon as it runs, where it is opened at an address. */
  readonly asksFirst?: (address: URL) => readonly string[];
}

/** What pages of ours may do: run scripts, styles and requests of this very server, and nothing else. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
