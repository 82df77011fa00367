/** A server with OpenAI's speech route that behaves as the test says. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface SpeechUpstream extends AsyncDisposable {
  readonly baseUrl: string;
  /** The bodies that it got. */
  readonly bodies: Record<string, unknown>[];
  /** Requests whose client went away before the answer. */
  readonly left: () => number;
}

type Answer = (response: ServerResponse, body: Record<string, unknown>, request: IncomingMessage) => unknown;

export async function speechUpstream(answer: Answer): Promise<SpeechUpstream> {
  const bodies: Record<string, unknown>[] = [];
  let left = 0;
  const server = createServer((request, response) => {
    response.once('close', () => (left += response.writableFinished ? 0 : 1));
    void text(request).then((json) => {
      const body = JSON.parse(json) as Record<string, unknown>;
      bodies.push(body);
      return answer(response, body, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    bodies,
    left: () => left,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A tone of so many seconds, as a WAV file of 16 bits. `header` changes what the header says. */
export function tone(seconds: number, { rate = 24_000, channels = 1, size }: ToneOptions = {}): Buffer {
  const frames = Math.round(seconds * rate);
  const data = Buffer.alloc(frames * channels * 2);
  // 220 Hz: each second is like the first.
  const second = Math.min(data.length, rate * channels * 2);
  for (let at = 0; at < second / 2; at += 1)
    data.writeInt16LE(
      Math.round(8_000 * Math.sin((2 * Math.PI * 220 * Math.floor(at / channels)) / rate)),
      at * 2,
    );
  for (let at = second; at < data.length; at += second) data.copy(data, at, 0, second);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(size ?? 36 + data.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * channels * 2, 28);
  header.writeUInt16LE(channels * 2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(size ?? data.length, 40);
  return Buffer.concat([header, data]);
}

interface ToneOptions {
  readonly rate?: number;
  readonly channels?: number;
  /** What both sizes say, as servers that stream write them. */
  readonly size?: number;
}
