/**
 * The upstream that all are measured against, in a process of its own: the OpenAI wire format over node:http,
 * with answers made beforehand, so that it costs as little as possible.
 *
 * A stream's pace is its model's name, `PIECES-by-INTERVAL` (e.g. `100-by-20`: 100 chunks, one each 20 ms). Every
 * chunk's content is the time at which it was written, in microseconds since the epoch.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { epochMicroseconds } from './clock.js';
import { takenSoFar } from './taken.js';

const USAGE = { prompt_tokens: 19, completion_tokens: 42, total_tokens: 61 };

const completion = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1,
    model: 'bench',
    choices: [
      { index: 0, message: { role: 'assistant', content: 'a word '.repeat(42) }, finish_reason: 'stop' },
    ],
    usage: USAGE,
  }),
);

process.on('message', () => process.send?.(takenSoFar()));
const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  if (!body.includes('"stream":true')) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': completion.length });
    response.end(completion);
    return;
  }
  const { model } = JSON.parse(body) as { model: string };
  const [pieces = 0, interval = 0] = model.split('-by-').map(Number);
  stream(response, pieces, interval);
}

function stream(response: ServerResponse, pieces: number, interval: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let written = 0;
  const timer = setInterval(() => {
    if (written < pieces) {
      written += 1;
      response.write(chunk(epochMicroseconds()));
      return;
    }
    clearInterval(timer);
    response.write(event({ ...CHUNK, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
    response.write(event({ ...CHUNK, choices: [], usage: USAGE }));
    response.end('data: [DONE]\n\n');
  }, interval);
  response.on('close', () => clearInterval(timer));
}

const CHUNK = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1, model: 'bench' };

function chunk(content: number): string {
  return event({
    ...CHUNK,
    choices: [{ index: 0, delta: { content: String(content) }, finish_reason: null }],
  });
}

function event(json: object): string {
  return `data: ${JSON.stringify(json)}\n\n`;
}
