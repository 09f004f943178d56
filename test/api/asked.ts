import type { Client } from '../../src/api/index.ts';
import type { Served } from './served.ts';

/** What is answered to a body that may be anything. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
export const post = async ({ signed }: Served, path: string, body: unknown): Promise<{ status: number; json: any }> => {
  const response = await signed(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
  return { status: response.status, json: await response.json() };
};

/** Status and code of a refusal. */
export const refused = async (asking: Promise<Response> | ReturnType<typeof post>): Promise<string> => {
  const answer = await asking;
  const { error } = answer instanceof Response ? await answer.json() : answer.json;
  return `${answer.status} ${error?.code}`;
};

/** Addresses that name nothing, and would do harm where they were taken for something else. */
export const HOSTILE = ['--output=x', '__proto__', 'constructor', '../../etc/passwd', 'a\u0000b', '%2e%2e%2f', '@{-1}', '-'];

type Planned =
  | 'revertCommit'
  | 'rollBackToFork'
  | 'mergeForks'
  | 'recoverSession'
  | 'recoverCommit'
  | 'continueRecovery'
  | 'rollBackSession'
  | 'discardSession';

interface Question {
  readonly params?: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Looks at the plan first, and has that one carried out. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
export const asShown = async (ask: Client, name: Planned, { body, ...where }: Question): Promise<any> => {
  const asking = ask as unknown as (name: Planned, question: object) => Promise<{ expectedTree: string }>;
  const { expectedTree } = await asking(name, { ...where, body: { ...body, dryRun: true } });
  return asking(name, { ...where, body: { ...body, expectedTree } });
};
