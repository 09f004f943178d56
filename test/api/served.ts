import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { onTestFinished, vi } from 'vitest';
import { type Client, createClient } from '../../src/api/index.ts';
import { createApp } from '../../src/server/app.ts';
import { EventHub } from '../../src/server/events/hub.ts';
import { Credentials } from '../../src/server/guard/credentials.ts';
import type { Shared } from '../../src/server/handler.ts';
import { Jobs } from '../../src/server/jobs.ts';
import { readWebPages } from '../../src/server/pages/web.ts';
import { Workspaces } from '../../src/server/workspaces.ts';
import type { Scene } from '../support/scene.ts';

export const PORT = 4747;
export const ORIGIN = `http://127.0.0.1:${PORT}`;

/** The web page as it is built. */
export const WEB_PAGES = readWebPages();

export interface Served {
  readonly at: Scene;
  readonly app: Hono;
  readonly shared: Shared;
  readonly token: string;
  readonly tokenFile: string;
  /** Asks with the token, typed. */
  readonly ask: Client;
  /** Asks with whatever is given and nothing else but the Host. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** The same with the token. */
  signed(path: string, init?: RequestInit): Promise<Response>;
  /** What went wrong that nobody expected. */
  readonly faults: readonly string[];
}

export interface ServeOptions {
  /** All in milliseconds. */
  readonly patience?: number;
  readonly beatEvery?: number;
  readonly pollEvery?: number;
}

/** The app over a scene's workspace and data, without a socket. Whatever it answers is compared with its schema. */
export const serve = (at: Scene, { patience = 30_000, ...often }: ServeOptions = {}): Served => {
  for (const [name, value] of Object.entries(at.retake.env)) vi.stubEnv(name, value);
  const workspaces = new Workspaces();
  workspaces.serve(at.workspace);
  const tokenFile = join(at.retake.home, 'api-token');
  mkdirSync(at.retake.home, { recursive: true });
  const credentials = new Credentials(tokenFile, () => PORT);
  const faults: string[] = [];
  const log = (line: string): number => faults.push(line);
  const jobs = new Jobs();
  const events = new EventHub({ workspaces, jobs, log, ...often });
  const shared: Shared = { workspaces, credentials, jobs, events, version: '0.0.0', log };
  const app = createApp({ shared, port: () => PORT, pages: WEB_PAGES, checksAnswers: true, patience });
  onTestFinished(() => {
    events.close();
    workspaces.close();
    vi.unstubAllEnvs();
  });
  const token = readFileSync(tokenFile, 'utf8').trim();
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (!headers.has('host')) headers.set('host', `127.0.0.1:${PORT}`);
    return app.request(`${ORIGIN}${path}`, { ...init, headers });
  };
  const signed = (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    return request(path, { ...init, headers });
  };
  const ask = createClient(ORIGIN, async (question) => {
    const headers = new Headers(question.headers);
    headers.set('host', `127.0.0.1:${PORT}`);
    headers.set('authorization', `Bearer ${token}`);
    return app.fetch(new Request(question, { headers }));
  });
  return { at, app, shared, token, tokenFile, ask, request, signed, faults };
};
