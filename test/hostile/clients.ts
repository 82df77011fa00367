/** Clients that are hostile by how they send and read, whatever they ask: over a socket of their own. */
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * - `slow`: sends the body a byte at a time, and leaves in the middle of it
 * - `deaf`: reads nothing of the answer, and leaves
 * - `gone`: leaves at the first bytes of the answer
 * - `silent`: sends the head of the request but for its end
 */
export type ClientKind = 'slow' | 'deaf' | 'gone' | 'silent';

export interface ClientRequest {
  readonly url: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** Milliseconds until a client leaves that does not leave before. */
  readonly patience: number;
}

/** The status of what it read of the answer, 0 for nothing. */
export async function sendAs(kind: ClientKind, request: ClientRequest): Promise<number> {
  const { hostname, port } = new URL(request.url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  const ended = once(socket, 'close').catch(() => undefined);
  socket.on('error', () => undefined);
  if (kind !== 'deaf')
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer = (answer + text).slice(0, 100);
      if (kind === 'gone') socket.resetAndDestroy();
    });
  await Promise.race([once(socket, 'connect').catch(() => undefined), ended]);
  const bytes = Buffer.from(request.body ?? '');
  const head = headOf(request, bytes.length);
  if (kind === 'silent') socket.write(head.slice(0, -2));
  else {
    socket.write(head);
    if (kind !== 'slow') socket.write(bytes);
  }
  const left = sleep(request.patience, undefined, { ref: false });
  if (kind === 'slow') void trickle(socket, bytes);
  await Promise.race([left, ended]);
  socket.resetAndDestroy();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
}

const BYTE_EVERY = 1_000;

async function trickle(socket: Socket, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length && !socket.destroyed; at += 1) {
    socket.write(bytes.subarray(at, at + 1));
    await sleep(BYTE_EVERY, undefined, { ref: false });
  }
}

function headOf({ method, path, headers, url }: ClientRequest, length: number): string {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${new URL(url).host}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (length > 0) lines.push(`content-length: ${length}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
