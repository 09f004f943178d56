/** What goes between the daemon and the thread that serves. */

export interface ServerOptions {
  /** The port to serve on; where none is asked for, one that is wanted if it is free. */
  readonly port: { readonly asked: number } | { readonly wanted: number };
  readonly tokenFile: string;
}

export type ToServer = { readonly number: number; readonly link: { readonly directory: string } } | 'close';

export type FromServer =
  | { readonly listening: number }
  | { readonly failed: { readonly code: string | undefined; readonly message: string } }
  /** Somebody uses it. */
  | 'active'
  | { readonly log: string }
  | { readonly number: number; readonly linked: ServedLink }
  | { readonly number: number; readonly refused: string };

/** How a browser gets in. */
export interface ServedLink {
  /** The workspace's id. */
  readonly workspace: string;
  readonly code: string;
}
