import { connect } from 'node:net';
import { type ErrorCode, RetakeError, systemCode } from '../model/errors.ts';
import { type Address, readAddress } from './address.ts';
import { LineReader } from './lines.ts';
import { daemonDirectory, isOwnEnvironment } from './place.ts';
import type { Cancel, DaemonReply, DaemonRequest, Envelope, WireError } from './protocol.ts';
import { socketPath } from './socket-path.ts';

export type UnreachableReason =
  /** There is no address, or nobody listens there. */
  | 'absent'
  /** It works for another home or configuration directory. */
  | 'environment'
  /** It does not take our token. */
  | 'refused'
  /** The connection ended without an answer. */
  | 'closed'
  /** It has our request but did not answer in time. */
  | 'deadline';

/** There is no daemon that would do it; the caller has another way. */
export class DaemonUnreachable extends Error {
  readonly reason: UnreachableReason;

  constructor(reason: UnreachableReason) {
    super(`The background process can not be used: ${reason}`);
    this.name = 'DaemonUnreachable';
    this.reason = reason;
  }
}

export interface AskOptions {
  readonly onProgress?: (progress: unknown) => void;
  /** Milliseconds; without it the answer may take as long as the work. */
  readonly deadline?: number;
  /** Aborted to have the work end at the next safe point; what came of it is then still waited for. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks the daemon, if there is one that works for us. Rejects with `DaemonUnreachable`, or with the error of the work itself.
 * Loads little: every hook of an agent goes through here.
 */
export const askDaemon = async (request: DaemonRequest, options: AskOptions = {}): Promise<unknown> => {
  const { token } = usableAddress(request);
  try {
    return await converse(token, request, options);
  } catch (error) {
    if (!(error instanceof DaemonUnreachable) || error.reason !== 'refused') throw error;
    // The address may be that of the one before, if we came just when another started.
    const renewed = usableAddress(request);
    if (renewed.token === token) throw error;
    return converse(renewed.token, request, options);
  }
};

const usableAddress = (request: DaemonRequest): Address => {
  const address = readAddress();
  if (address === undefined) throw new DaemonUnreachable('absent');
  if (dependsOnEnvironment(request) && !isOwnEnvironment(address.environment)) throw new DaemonUnreachable('environment');
  return address;
};

/** Anybody may look at it or stop it. */
const dependsOnEnvironment = ({ verb }: DaemonRequest): boolean => verb === 'event' || verb === 'call' || verb === 'serve';

const converse = (token: string, request: DaemonRequest, { onProgress, deadline, signal }: AskOptions): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const at = socketPath(daemonDirectory());
    const socket = connect(at.path);
    const timer = deadline === undefined ? undefined : setTimeout(() => fail(new DaemonUnreachable('deadline')), deadline);
    const cancel = (): void => void socket.write(line({ cancel: true }));
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      socket.destroy();
    };
    const fail = (error: Error): void => {
      end();
      reject(error);
    };
    const lines = new LineReader((text) => {
      const reply = JSON.parse(text) as DaemonReply;
      if ('progress' in reply) return onProgress?.(reply.progress);
      if ('error' in reply) return fail(rebuildError(reply.error));
      end();
      resolve(reply.result);
    });
    socket.on('connect', () => {
      socket.write(line({ token, request }));
      if (signal?.aborted) cancel();
      else signal?.addEventListener('abort', cancel, { once: true });
    });
    socket.on('data', (chunk) => {
      try {
        lines.push(chunk);
      } catch {
        // Whatever speaks there, it is no daemon of ours.
        fail(new DaemonUnreachable('closed'));
      }
    });
    socket.on('error', (error) => fail(new DaemonUnreachable(WAS_THERE.has(systemCode(error)) ? 'closed' : 'absent')));
    socket.on('close', () => {
      at.release();
      fail(new DaemonUnreachable('closed'));
    });
  });

const line = (message: Envelope | Cancel): string => `${JSON.stringify(message)}\n`;

const WAS_THERE = new Set<string | undefined>(['ECONNRESET', 'EPIPE']);

const rebuildError = ({ code, message, hint, details }: WireError): Error => {
  if (code === 'refused') return new DaemonUnreachable('refused');
  if (code === 'unexpected') return new Error(message);
  return new RetakeError(code as ErrorCode, message, {
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  });
};
