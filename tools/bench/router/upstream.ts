/**
 * The upstream of the bench: answers chat calls, all bytes made beforehand and without `node:http`, so that it
 * costs as little as possible.
 *
 * A stream's pace is its model's name, `PIECES-by-INTERVAL` (e.g. `100-by-20`: 100 chunks, one each 20 ms). Every
 * chunk's content is the time at which it was written, in microseconds since the epoch.
 */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { epochMicroseconds } from './streams.js';

const USAGE = { prompt_tokens: 19, completion_tokens: 42, total_tokens: 61 };

const completion = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1,
  model: 'bench',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'a word '.repeat(42) }, finish_reason: 'stop' },
  ],
  usage: USAGE,
});
const answer = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${completion.length}\r\n\r\n${completion}`,
);
const streamHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';

const CHUNK = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1, model: 'bench' };
const [beforeContent = '', afterContent = ''] = JSON.stringify({
  ...CHUNK,
  choices: [{ index: 0, delta: { content: 'CONTENT' }, finish_reason: null }],
}).split('CONTENT');
const streamEnd =
  frame(event(JSON.stringify({ ...CHUNK, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))) +
  frame(event(JSON.stringify({ ...CHUNK, choices: [], usage: USAGE }))) +
  frame(event('[DONE]')) +
  '0\r\n\r\n';

const server = createServer(serve);
server.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);

/** One request at a time on a connection, with `content-length`: both gateways send it so. */
function serve(socket: Socket): void {
  let received = '';
  socket.setNoDelay();
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
    const head = received.indexOf('\r\n\r\n');
    if (head === -1) return;
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(received)?.[1] ?? 0);
    if (received.length < head + 4 + length) return;
    const request = received;
    received = '';
    if (request.includes('"stream":true')) stream(socket, request);
    else socket.write(answer);
  });
}

function stream(socket: Socket, request: string): void {
  const [, pieces = '0', interval = '0'] = /"model":"(\d+)-by-(\d+)"/.exec(request) ?? [];
  socket.write(streamHead);
  let written = 0;
  const timer = setInterval(() => {
    written += 1;
    if (written <= Number(pieces)) {
      socket.write(frame(event(beforeContent + epochMicroseconds() + afterContent)), 'latin1');
      return;
    }
    clearInterval(timer);
    socket.write(streamEnd);
  }, Number(interval));
  socket.once('close', () => clearInterval(timer));
}

function event(text: string): string {
  return `data: ${text}\n\n`;
}

/** A chunk of the transfer encoding; all text is ASCII. */
function frame(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}
