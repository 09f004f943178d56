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
