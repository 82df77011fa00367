/**
 * Load over raw sockets: one request at a time on each connection, answers told apart by their headers alone. The
 * client costs a fraction of the server, so that the server is what is measured.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Load {
  readonly perSecond: number;
  readonly requests: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  readonly status: number;
  /** The next request, whole. */
  readonly next: () => Buffer;
}

/** Throws when an answer has another status. */
export async function load({ port, connections, seconds, status, next }: LoadOptions): Promise<Load> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const times: number[] = [];
  const began = performance.now();
  await Promise.all(sockets.map((socket) => drive(socket, began + seconds * 1_000, status, next, times)));
  const elapsed = performance.now() - began;
  for (const socket of sockets) socket.destroy();
  times.sort((a, b) => a - b);
  const at = (part: number): number =>
    times[Math.min(times.length - 1, Math.floor(part * times.length))] ?? NaN;
  return { perSecond: (times.length * 1_000) / elapsed, requests: times.length, p50: at(0.5), p99: at(0.99) };
}

/** A request without a body. */
export function get(path: string, headers: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket;
}

const HEAD_END = Buffer.from('\r\n\r\n');

function drive(
  socket: Socket,
  end: number,
  status: number,
  next: () => Buffer,
  times: number[],
): Promise<void> {
  return new Promise((settle, fail) => {
    const expected = Buffer.from(`HTTP/1.1 ${status} `);
    let sent = performance.now();
    let head: Buffer = Buffer.alloc(0);
    /** Bytes of the body that are still to come; undefined while the head is read. */
    let missing: number | undefined;
    const answered = (): void => {
      const now = performance.now();
      times.push(now - sent);
      missing = undefined;
      head = Buffer.alloc(0);
      if (now >= end) {
        settle();
        return;
      }
      sent = now;
      socket.write(next());
    };
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('the server closed the connection')));
    socket.on('data', (chunk: Buffer) => {
      if (missing !== undefined) {
        missing -= chunk.length;
        if (missing <= 0) answered();
        return;
      }
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const at = head.indexOf(HEAD_END);
      if (at === -1) return;
      if (!head.subarray(0, expected.length).equals(expected)) {
        fail(new Error(`expected ${status}: ${head.toString().slice(0, 500)}`));
        return;
      }
      const length = lengthOf(head.subarray(0, at));
      missing = length - (head.length - at - HEAD_END.length);
      if (missing <= 0) answered();
    });
    socket.write(next());
  });
}

function lengthOf(head: Buffer): number {
  const at = head.indexOf('content-length: ');
  return at === -1 ? 0 : Number.parseInt(head.subarray(at + 16, at + 32).toString('latin1'), 10);
}
