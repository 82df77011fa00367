import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { buffer } from 'node:stream/consumers';
import { eventually } from '../../support/eventually.js';
import { NO_PAUSES, speechServer, type SpeechServer } from './support.js';
import { speechUpstream, tone } from './upstream-server.js';

/** More than the system holds for a connection: 12 MB. */
const CLIP = tone(120, { rate: 48_000 });

/** The head of an answer whose body nobody reads yet. */
async function ask({ url, apiKey }: SpeechServer, input: string): Promise<IncomingMessage> {
  const call = request(`${url}/api/v1/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
  });
  call.end(JSON.stringify({ voice: 'sera', input, response_format: 'wav' }));
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  return answer;
}

test('finished sound that clients do not read is bounded: who has waited longest is cut off, the other gets all', async () => {
  await using upstream = await speechUpstream((response) => response.end(CLIP));
  const upstreams = [{ name: 'a', baseUrl: upstream.baseUrl }];
  await using server = await speechServer(
    { engines: ['a'], upstreams, pauses: NO_PAUSES, cacheBytes: 0 },
    { server: { maxUnread: Math.trunc(1.5 * CLIP.length) } },
  );
  const first = await ask(server, '하나.');
  const second = await ask(server, '둘.');
  await assert.rejects(buffer(first), { code: 'ECONNRESET' });
  assert.equal((await buffer(second)).length, CLIP.length);
  // What has been read no longer counts.
  assert.equal((await buffer(await ask(server, '셋.'))).length, CLIP.length);
  await eventually(
    async () => (await server.usage()).used_seconds === 360,
    'all three were made and charged',
  );
});
