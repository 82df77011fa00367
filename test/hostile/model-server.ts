/** An upstream in a thread of its own, that reading long calls does not hold the probe up: answers every call alike. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const message = { role: 'assistant', content: 'yes' };
const ANSWERS: Readonly<Record<string, object>> = {
  '/v1/chat/completions': {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage,
  },
  '/v1/embeddings': {
    object: 'list',
    model: 'm',
    data: [{ object: 'embedding', index: 0, embedding: [1, 0, 0] }],
    usage,
  },
  '/v1/rerank': { results: [{ index: 0, relevance_score: 1 }] },
  '/v1/models': { object: 'list', data: [{ id: 'm', object: 'model' }] },
};

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const answer = ANSWERS[request.url ?? ''] ?? {};
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
});
server.listen(0, '127.0.0.1', () =>
  parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`),
);
