import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { speechServer, type SpeechServer } from './support.js';

describe('bad input is answered clearly, and costs nothing', () => {
  let server: SpeechServer;
  before(async () => {
    server = await speechServer({ monthlySeconds: 1_000_000 });
  });
  after(() => server.stop());

  const refused: Record<string, { body: object; status: number; code: string; message: RegExp }> = {
    'an empty input': { body: { input: '' }, status: 422, code: 'invalid_request', message: /input/ },
    'only emoji': {
      body: { input: '😀🎉👍🏽' },
      status: 422,
      code: 'nothing_to_read',
      message: /nothing to read/,
    },
    'only punctuation': {
      body: { input: '... !? ,,, ()' },
      status: 422,
      code: 'nothing_to_read',
      message: /nothing/,
    },
    'only control characters': {
      body: { input: '\u0000\u0007\u001b' },
      status: 422,
      code: 'nothing_to_read',
      message: /nothing/,
    },
    'only a lone surrogate': {
      body: { input: '\ud800' },
      status: 422,
      code: 'nothing_to_read',
      message: /nothing/,
    },
    'an unknown voice': {
      body: { input: '가', voice: 'alloy' },
      status: 400,
      code: 'voice_not_found',
      message: /"alloy"/,
    },
    'a voice of another case': {
      body: { input: '가', voice: 'GEN-M1' },
      status: 400,
      code: 'voice_not_found',
      message: /did you mean "gen_m1"/,
    },
    'an unknown format': {
      body: { input: '가', response_format: 'aac' },
      status: 422,
      code: 'invalid_request',
      message: /"mp3", "wav"/,
    },
    '4,097 characters': {
      body: { input: '가'.repeat(4_097) },
      status: 422,
      code: 'invalid_request',
      message: /4096/,
    },
    'a text that is too long when it is read': {
      body: { input: 'w'.repeat(4_096), speed: 0.25 },
      status: 422,
      code: 'input_too_long',
      message: /syllables at speed 0.25/,
    },
    'a number as input': {
      body: { input: 5 },
      status: 422,
      code: 'invalid_request',
      message: /input must be/,
    },
    'no voice': {
      body: { input: '가', voice: undefined },
      status: 422,
      code: 'invalid_request',
      message: /voice/,
    },
    'a speed of zero': {
      body: { input: '가', speed: 0 },
      status: 422,
      code: 'invalid_request',
      message: /speed/,
    },
  };
  for (const [what, { body, status, code, message }] of Object.entries(refused)) {
    test(`${what} is refused`, async () => {
      const response = await server.speak(body);
      const { error } = (await response.json()) as { error: { code: string; message: string; type: string } };
      assert.deepEqual([response.status, error.code, error.type], [status, code, 'invalid_request_error']);
      assert.match(error.message, message);
      assert.equal((await server.usage()).used_seconds, 0);
    });
  }

  test('a body that is no JSON, and one of another media type, are refused', async () => {
    const post = (type: string, body: string): Promise<Response> =>
      fetch(`${server.url}/api/v1/audio/speech`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': type },
        body,
      });
    assert.equal((await post('application/json', '{')).status, 400);
    assert.equal((await post('text/plain', '가')).status, 415);
    assert.equal((await post('application/json', 'null')).status, 422);
  });

  const spoken: Record<string, string> = {
    SSML: '<speak><break time="99999s"/>가 &#0; <prosody rate="1%">나</prosody></speak>',
    'phonemes of the engine': '[[h@l@U]] 가 [[_:]]',
    'control characters between words': '가\u0000나\u0008 다\u001b[2J',
    'lone surrogates between words': '가\ud800나 \udc00다',
    'one word of 3,000 syllables': '가나다라마바사아자차'.repeat(300),
    'a number of 400 digits': '9'.repeat(400),
    'a thousand line ends': `가${'\n'.repeat(1_000)}나`,
    'nothing but opening brackets before a word': `${'('.repeat(2_000)}가`,
  };
  for (const [what, input] of Object.entries(spoken)) {
    test(`${what}: spoken as text, in a length that fits`, async () => {
      // Fast and not encoded: the word of 3,000 syllables is eight minutes of sound at speed 1.
      const response = await server.speak({ input, speed: 2, response_format: 'wav' });
      assert.equal(response.status, 200, await (response.ok ? '' : response.text()));
      const seconds = 2 * Number(response.headers.get('x-audio-duration-seconds'));
      const { syllables } = await estimate(input);
      assert.ok(
        seconds > syllables * 0.08 && seconds < 2 + syllables * 0.3,
        `${seconds} s for ${syllables} syllables`,
      );
    });
  }

  async function estimate(input: string): Promise<{ syllables: number }> {
    const response = await fetch(`${server.url}/api/v1/audio/speech?dry_run=true`, {
      method: 'POST',
      headers: { 'x-api-key': server.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ voice: 'sera', input }),
    });
    return (await response.json()) as { syllables: number };
  }
});
