/** An upstream that answers each request with bytes as they are given, whether they are HTTP or not. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Closes the connection, and breaks it off. */
export const END = Symbol('end');
export const RESET = Symbol('reset');

/** Bytes to write one after another; a number waits so many milliseconds. */
export type Script = readonly (string | Buffer | number | typeof END | typeof RESET)[];

export class RawUpstream {
  requests = 0;
  #script: Script = [];
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async start(): Promise<RawUpstream> {
    const upstream = new RawUpstream();
    upstream.#server.listen(0, '127.0.0.1');
    await once(upstream.#server, 'listening');
    return upstream;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  answer(script: Script): void {
    this.#script = script;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
    let request = '';
    socket.setNoDelay().on('data', (bytes) => {
      request += bytes.toString('latin1');
      const head = request.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(request)?.[1] ?? 0);
      if (head === -1 || request.length < head + 4 + length) return;
      request = '';
      this.requests += 1;
      void this.#play(socket);
    });
  }

  async #play(socket: Socket): Promise<void> {
    for (const step of this.#script) {
      if (typeof step === 'number') await sleep(step);
      else if (step === END) socket.end();
      else if (step === RESET) socket.resetAndDestroy();
      else socket.write(step);
    }
  }
}
