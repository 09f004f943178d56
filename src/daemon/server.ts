import { createServer, type Server as NetServer } from 'node:net';
import { effects, exists } from '../host/index.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { type SocketPath, socketPath } from './socket-path.ts';

/** Listens on the socket in the daemon's directory. */
export class Server {
  readonly #server: NetServer;
  readonly #at: SocketPath;
  readonly #connections = new Set<Connection>();
  #closed: Promise<void> | undefined;

  /** To be called by the holder of the instance lock: a socket that is there already belongs to nobody. */
  static async listen(directory: string, options: ConnectionOptions): Promise<Server> {
    const server = new Server(directory, options);
    await server.#listen();
    return server;
  }

  private constructor(directory: string, options: ConnectionOptions) {
    this.#at = socketPath(directory);
    this.#server = createServer((socket) => {
      const connection = new Connection(socket, options);
      this.#connections.add(connection);
      socket.on('close', () => this.#connections.delete(connection));
    });
  }

  #listen(): Promise<void> {
    const { path } = this.#at;
    if (exists(path)) effects.unlink(path);
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(path, () => {
        effects.chmod(path, 0o600);
        resolve();
      });
    });
  }

  /** Takes no new requests; resolves when those under way are answered. */
  close(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      this.#server.close(() => {
        this.#at.release();
        resolve();
      });
      for (const connection of this.#connections) connection.dropIfIdle();
    });
    return this.#closed;
  }
}
