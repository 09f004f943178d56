import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { demand } from './measure.ts';
import { runProgram } from './retake.ts';

interface Serving {
  readonly url: string;
  readonly tokenFile: string;
}

/** Asks a served interface as a page does: over connections that stay. */
export class HttpClient {
  readonly #url: string;
  readonly #token: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 200 });

  private constructor({ url, tokenFile }: Serving) {
    this.#url = url;
    this.#token = readFileSync(tokenFile, 'utf8').trim();
  }

  /** Has the daemon of a data directory serve. */
  static serve(home: string, directory: string): HttpClient {
    return new HttpClient(runProgram<Serving>(home, directory, 'serve'));
  }

  close(): void {
    this.#agent.destroy();
  }

  get<T>(path: string): Promise<T> {
    return this.#ask('GET', path);
  }
  post<T>(path: string, body: object): Promise<T> {
    return this.#ask('POST', path, body);
  }

  /** Follows events; `heard` is called with the name of each. Resolves when the connection is there and the first was heard. */
  follow(heard: (event: string) => void): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const asking = request(`${this.#url}/api/events`, { agent: this.#agent, headers: this.#headers }, (answer) => {
        demand(answer.statusCode === 200, `events: ${answer.statusCode}`);
        answer.setEncoding('utf8');
        answer.on('data', (text: string) => {
          for (const [, name = ''] of text.matchAll(/^event: (.*)$/gm)) heard(name);
          resolve(() => asking.destroy());
        });
      });
      asking.on('error', reject);
      asking.end();
    });
  }

  get #headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#token}` };
  }

  #ask<T>(method: string, path: string, body?: object): Promise<T> {
    const content = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...this.#headers,
      ...(content === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }),
    };
    return new Promise((resolve, reject) => {
      const asking = request(`${this.#url}${path}`, { method, agent: this.#agent, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if ((answer.statusCode ?? 500) < 300) resolve(JSON.parse(text) as T);
          else reject(new Error(`not measured: ${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`));
        });
      });
      asking.on('error', (error: NodeJS.ErrnoException) => {
        // The server closes what was not used for a while; a browser asks again on a new connection, too.
        if (asking.reusedSocket && error.code === 'ECONNRESET') this.#ask<T>(method, path, body).then(resolve, reject);
        else reject(error);
      });
      asking.end(content);
    });
  }
}
