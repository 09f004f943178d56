/** A file that is served as it is, to anybody on this machine: nothing of a user's is in it. */
export interface Page {
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

/** What pages of ours may do: run scripts, styles and requests of this very server, and nothing else. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
