import type { ProcessName } from '../host/process-stat.ts';

/**
 * What goes over the socket: one request per connection, each message one line of JSON. The client sends an `Envelope`; the
 * server answers any number of `progress` lines, then one `result` or `error`, and closes. While it waits, the client may send
 * a `Cancel`: the work ends at the next safe point with the error `interrupted`, or is done before it is heard.
 */
export interface Envelope {
  readonly token: string;
  readonly request: DaemonRequest;
}

export interface Cancel {
  readonly cancel: true;
}

export type DaemonRequest =
  | { readonly verb: 'event'; readonly event: HookEvent }
  | { readonly verb: 'status' }
  | { readonly verb: 'stop' }
  | { readonly verb: 'call'; readonly call: DaemonCall }
  | { readonly verb: 'serve'; readonly serve: ServeRequest };

/** What an agent told its hook, unread. */
export interface HookEvent {
  readonly agent: string;
  /** The hook's whole standard input. */
  readonly payload: string;
  /** When the hook got it. */
  readonly at: string;
  /** The agent's process, where the system tells. */
  readonly process?: ProcessName | undefined;
}

/** What an agent is told in return: printed by its hook as it is. */
export interface HookAnswer {
  readonly output: string;
}

/** Anything else that a face asks for. */
export interface DaemonCall {
  readonly name: string;
  readonly directory: string;
  readonly args: unknown;
}

/** To serve the HTTP interface, and let somebody in. */
export interface ServeRequest {
  /** What requests are about that name no workspace. */
  readonly directory: string;
  /** The port that it has to be. */
  readonly port?: number | undefined;
}

/** Where it is served. */
export interface Serving {
  readonly pid: number;
  readonly url: string;
  /** Signs one browser in, once and soon. */
  readonly link: string;
  /** The workspace's id. */
  readonly workspace: string;
  /** Where programs find the token. */
  readonly tokenFile: string;
}

export type DaemonReply =
  | { readonly progress: unknown }
  /** Absent where there is nothing to say. */
  | { readonly result?: unknown }
  | { readonly error: WireError };

export interface WireError {
  /** An `ErrorCode`, `unexpected`, or `refused` where the request itself was not taken. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly details?: Record<string, unknown>;
}

export interface DaemonStatus extends PoolStatus {
  readonly pid: number;
  readonly startedAt: string;
  /** Resident memory in bytes. */
  readonly memory: number;
  /** Events that wait to be recorded. */
  readonly spooled: number;
  /** Where the HTTP interface is served; null where it is not. */
  readonly url: string | null;
  /** Its code has run often enough to be fast. */
  readonly rehearsed: boolean;
}

export interface PoolStatus {
  readonly workspaces: readonly WatchedWorkspace[];
}

export interface WatchedWorkspace {
  readonly root: string;
  /** How its changes are found: told by the system as they happen, or looked for. */
  readonly tier: 'journal' | 'scan';
  readonly watches: number;
  readonly problem: string | null;
  /** The last full scan made to compare with what was told. */
  readonly lastAudit: { readonly at: string; readonly differences: number } | null;
}

/** By the clock on the wall, so it may be wrong, but never negative. */
export const millisecondsSince = (at: string): number => Math.max(0, Date.now() - Date.parse(at)) || 0;

/** A longer line is refused. */
export const MAXIMUM_LINE = 64 * 1024 * 1024;

export const isEnvelope = (value: unknown): value is Envelope =>
  isRecord(value) && typeof value.token === 'string' && isRequest(value.request);

export const isCancel = (value: unknown): value is Cancel => isRecord(value) && value.cancel === true;

const isRequest = (value: unknown): value is DaemonRequest => {
  if (!isRecord(value)) return false;
  switch (value.verb) {
    case 'event':
      return isHookEvent(value.event);
    case 'serve':
      return isRecord(value.serve) && typeof value.serve.directory === 'string' && isPort(value.serve.port);
    case 'call':
      return isRecord(value.call) && typeof value.call.name === 'string' && typeof value.call.directory === 'string';
    default:
      return value.verb === 'status' || value.verb === 'stop';
  }
};

export const isHookEvent = (value: unknown): value is HookEvent =>
  isRecord(value) && typeof value.agent === 'string' && typeof value.payload === 'string' && typeof value.at === 'string';

const isPort = (value: unknown): boolean => value === undefined || (Number.isInteger(value) && Number(value) > 0 && Number(value) < 65_536);

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
