import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Block, type Message, outline, type Place, placeIn } from './messages.ts';
import type { Script, Step } from './script.ts';

interface ModelRequest {
  /** Milliseconds, for differences between requests only. */
  readonly at: number;
  readonly session: string | undefined;
  readonly messages: readonly Message[];
  /** The conversation in short; see `outline`. */
  readonly outline: readonly string[];
  /** Undefined for requests that the client makes on the side. */
  readonly place: Place | undefined;
}

export interface Model {
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** The newest request for a prompt of the script. */
  lastFor(prompt: string): ModelRequest | undefined;
}

interface Question {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly unknown[];
  readonly stream?: boolean;
}

/** A model that follows a script, reached over loopback the way the real one is. Ends with the test. */
export const startModel = async (script: Script): Promise<Model> => {
  const requests: ModelRequest[] = [];
  const prompts = new Set(Object.keys(script));

  const stepFor = (question: Question, session: string | undefined): Step => {
    const isSide = question.tools === undefined || question.tools.length === 0;
    const place = isSide ? undefined : placeIn(question.messages, prompts);
    requests.push({ at: performance.now(), session, messages: question.messages, outline: outline(question.messages), place });
    return (place && script[place.prompt]?.[place.step]) ?? { text: 'ok' };
  };

  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    if (request.method !== 'POST' || !/^\/v1\/messages(\?|$)/.test(request.url ?? '')) {
      sendJson(response, { input_tokens: 10 });
      return;
    }
    const question: Question = JSON.parse(body);
    const session = request.headers['x-claude-code-session-id'];
    const step = stepFor(question, typeof session === 'string' ? session : undefined);
    await step.meanwhile?.();
    answer(response, question, step);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    lastFor: (prompt) => requests.findLast(({ place }) => place?.prompt === prompt),
  };
};

const bodyOf = async (request: IncomingMessage): Promise<string> => Buffer.concat(await request.toArray()).toString();

const sendJson = (response: ServerResponse, value: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
};

const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;

const answer = (response: ServerResponse, { model, stream }: Question, step: Step): void => {
  const content: Block[] = [
    ...(step.text === undefined ? [] : [{ type: 'text', text: step.text }]),
    ...(step.tools ?? []).map(({ name, input }) => ({ type: 'tool_use', id: newId('toolu'), name, input })),
  ];
  const stop_reason = step.tools === undefined ? 'end_turn' : 'tool_use';
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = { id: newId('msg'), type: 'message', role: 'assistant', model, stop_sequence: null, usage };
  if (!stream) {
    sendJson(response, { ...message, content, stop_reason });
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type: string, fields: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
  send('message_start', { message: { ...message, content: [], stop_reason: null } });
  for (const [index, block] of content.entries()) {
    const { empty, delta } = inParts(block);
    send('content_block_start', { index, content_block: empty });
    send('content_block_delta', { index, delta });
    if (step.stalls) return;
    send('content_block_stop', { index });
  }
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage });
  send('message_stop', {});
  response.end();
};

/** A block as it is streamed: first without its content, then that. */
const inParts = (block: Block): { readonly empty: Block; readonly delta: object } =>
  block.type === 'text'
    ? { empty: { ...block, text: '' }, delta: { type: 'text_delta', text: block.text } }
    : { empty: { ...block, input: {} }, delta: { type: 'input_json_delta', partial_json: JSON.stringify(block.input) } };
