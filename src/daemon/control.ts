import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { replaceFile } from '../host/files.ts';
import { openLink } from '../host/open-link.ts';
import { RetakeError } from '../model/index.ts';
import { readAddress } from './address.ts';
import { askDaemon, DaemonUnreachable } from './client.ts';
import { makeDaemonDirectory } from './instance.ts';
import { daemonDirectory, isOwnEnvironment, logFile } from './place.ts';
import type { DaemonStatus, ServeRequest, Serving } from './protocol.ts';
import { startDaemon } from './start.ts';

const PAUSE = 20;
const START_AGAIN = 500;

/** The daemon's own report, or undefined where there is none. */
export const daemonStatus = async (patience = 10_000): Promise<DaemonStatus | undefined> => {
  for (const deadline = performance.now() + patience; ; await sleep(PAUSE)) {
    try {
      return (await askDaemon({ verb: 'status' }, { deadline: Math.max(1, deadline - performance.now()) })) as DaemonStatus;
    } catch (error) {
      if (!(error instanceof DaemonUnreachable)) throw error;
      if (error.reason === 'deadline') throw noAnswer();
      // Where one hangs up, its successor may be on its way.
      if (error.reason !== 'closed' || performance.now() > deadline) return undefined;
    }
  }
};

/** Makes sure that a daemon answers. */
export const bringUp = async (patience = 10_000): Promise<{ readonly pid: number; readonly wasRunning: boolean }> => {
  const running = await daemonStatus(patience);
  if (running !== undefined) {
    if (!isOwnEnvironment(readAddress()?.environment)) throw worksForOthers(running.pid);
    return { pid: running.pid, wasRunning: true };
  }
  makeDaemonDirectory();
  let failed = false;
  let nextStart = performance.now();
  for (const deadline = performance.now() + patience; performance.now() < deadline && !failed; await sleep(PAUSE)) {
    const status = await daemonStatus(Math.max(1, deadline - performance.now()));
    if (status !== undefined) return { pid: status.pid, wasRunning: false };
    if (performance.now() < nextStart) continue;
    void startDaemon().ended.then((code) => {
      failed ||= code !== 0;
    });
    nextStart = performance.now() + START_AGAIN;
  }
  if (failed) throw new Error(`The background process failed to start; why is told in ${logFile()}`);
  throw noAnswer();
};

/** Has the daemon serve the HTTP interface; starts one where there is none. */
export const requestServing = async (request: ServeRequest): Promise<Serving> => {
  await bringUp();
  try {
    return (await askDaemon({ verb: 'serve', serve: { ...request, directory: resolve(request.directory) } })) as Serving;
  } catch (error) {
    throw error instanceof DaemonUnreachable ? noAnswer() : error;
  }
};

/**
 * Opens a link in the user's browser; false where there is no way to. By way of a file that only the user can read: what a program is started
 * with, everybody on the machine can see.
 */
export const openInBrowser = (link: string): Promise<boolean> => {
  const path = join(daemonDirectory(), 'sign-in.html');
  replaceFile(path, Buffer.from(`<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${link}">\n`), {
    mode: 0o600,
  });
  return openLink(path);
};

/** Waits until it is gone; undefined where there was none. */
export const bringDown = async (patience = 60_000): Promise<{ readonly pid: number } | undefined> => {
  const address = readAddress();
  if (address === undefined) return undefined;
  const deadline = performance.now() + patience;
  try {
    await askDaemon({ verb: 'stop' }, { deadline: patience });
  } catch (error) {
    if (!(error instanceof DaemonUnreachable)) throw error;
    if (error.reason === 'absent') return undefined;
    if (error.reason === 'deadline') throw noAnswer();
  }
  while (readAddress()?.token === address.token) {
    if (performance.now() > deadline) throw noAnswer();
    await sleep(PAUSE);
  }
  return { pid: address.pid };
};

const noAnswer = (): RetakeError => {
  const pid = readAddress()?.pid;
  return new RetakeError('store-busy', 'The background process does not answer', {
    hint: `${pid === undefined ? '' : `It may be ended, nothing is lost: kill -9 ${pid}. `}Its log is ${logFile()}`,
  });
};

const worksForOthers = (pid: number): RetakeError =>
  new RetakeError('store-busy', `The background process (${pid}) was started with another HOME or XDG_CONFIG_HOME`, {
    hint: 'Stop it first: retake daemon stop',
  });
