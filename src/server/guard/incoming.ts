/** What there is to know of a request before anything of it is believed. */
export interface Incoming {
  readonly method: string;
  /** As it was sent, where it came over a socket. */
  readonly target: string | undefined;
  readonly path: string;
  readonly headers: Headers;
  /** All header lines as they were sent, names and values in turn; undefined where there was no socket. */
  readonly rawHeaders: readonly string[] | undefined;
}
