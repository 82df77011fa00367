/** One address for everything: the router's models and the voices of the plugin speech. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';
import speech from '../../../plugins/speech/index.js';
import { bootRouter } from '../../plugins/router/support/boot.js';
import { speechUpstream, tone } from '../../plugins/speech/upstream-server.js';

test("OpenAI's client chats and has texts spoken at one base, by the upstream that the config names", async () => {
  const keys: unknown[] = [];
  await using studio = await speechUpstream((response, _, request) => {
    keys.push(request.headers.authorization);
    response.end(tone(0.5));
  });
  const config = {
    engines: ['studio'],
    upstreams: [
      { name: 'studio', baseUrl: studio.baseUrl, apiKey: 'sk-test', model: 'm', voices: { '*': 'alloy' } },
    ],
  };
  await using router = await bootRouter(['a'], {}, { plugins: [{ plugin: speech, config }] });
  for (const [base, input] of [
    ['/v1', '사과 세 개.'],
    ['/api/v1', '배 두 개.'],
  ] as const) {
    const client = new OpenAI({ apiKey: router.key, baseURL: router.url + base, maxRetries: 0 });
    const sound = await client.audio.speech.create({
      model: 'tts-1',
      voice: 'bora',
      input,
      response_format: 'wav',
    });
    assert.equal(
      Buffer.from(await sound.arrayBuffer())
        .subarray(0, 4)
        .toString(),
      'RIFF',
    );
    const said = await client.chat.completions.create({
      model: 'a/m',
      messages: [{ role: 'user', content: 'hello' }],
    });
    assert.ok(said.choices[0]?.message.content);
  }
  assert.deepEqual(keys, ['Bearer sk-test', 'Bearer sk-test']);
});
