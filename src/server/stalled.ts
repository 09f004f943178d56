import type { Socket } from 'node:net';

/** How often connections are looked at. */
const LOOK_EVERY = 15_000;

/** Connections that hold what their client does not take: looked at twice without a byte gone out in between, they are ended. */
export class StalledConnections {
  readonly #open = new Map<Socket, number>();
  readonly #looking: NodeJS.Timeout;

  constructor() {
    this.#looking = setInterval(() => this.look(), LOOK_EVERY).unref();
  }

  add(socket: Socket): void {
    this.#open.set(socket, -1);
    socket.on('close', () => this.#open.delete(socket));
  }

  look(): void {
    for (const [socket, before] of this.#open) {
      const gone = socket.bytesWritten - socket.writableLength;
      const isWaiting = socket.writableLength > 0;
      if (isWaiting && gone === before) socket.destroy();
      else this.#open.set(socket, isWaiting ? gone : -1);
    }
  }

  close(): void {
    clearInterval(this.#looking);
  }
}
