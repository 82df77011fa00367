import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Dictionary } from '../../../plugins/speech/normalise/dictionary.js';
import { normalise } from '../../../plugins/speech/normalise/normalise.js';
import { speechServer, type SpeechServer } from './support.js';

test('an entry is read at the start of a word, the longest first, and Latin letters end it', async () => {
  const dictionary = new Dictionary([
    { written: 'LG', spoken: '엘지' },
    { written: 'LG전자', spoken: '엘지 전자' },
    { written: 'cat', spoken: '고양이' },
    { written: '이상', spoken: '리상' },
    { written: '3M', spoken: '쓰리엠' },
  ]);
  const read = async (text: string): Promise<string> => (await normalise(text, dictionary)).text;
  assert.equal(await read('LG와 LG전자는'), '엘지와 엘지 전자는');
  assert.equal(await read('cat은 category가'), `고양이은 ${(await normalise('category가')).text}`);
  assert.equal(await read('이상은 둘 이상이 아니다. 더이상'), '리상은 둘 리상이 아니다. 더이상');
  assert.equal(await read('3M과 13M'), `쓰리엠과 ${(await normalise('13M')).text}`);
});

describe('pronunciations over HTTP', () => {
  let server: SpeechServer;
  before(async () => {
    server = await speechServer();
  });
  after(() => server.stop());

  const call = (method: string, path: string, body?: object, key = server.apiKey): Promise<Response> =>
    fetch(`${server.url}/api/v1/pronunciations${path}`, {
      method,
      headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const readAs = async (input: string, key = server.apiKey): Promise<string> => {
    const response = await server.explain({ input }, { authorization: `Bearer ${key}` });
    return ((await response.json()) as { normalised: string }).normalised;
  };

  test('a word is read as its key says until it is taken away, and other keys read it by the rules', async () => {
    const other = await server.key('speech');
    const rules = await readAs('ABBA가 온다.');
    const set = await call('PUT', '/ABBA', { spoken: '아바' });
    assert.deepEqual(await set.json(), { written: 'ABBA', spoken: '아바' });
    assert.equal(await readAs('ABBA가 온다.'), '아바가 온다.');
    assert.equal(await readAs('ABBA가 온다.', other), rules);
    assert.deepEqual(await (await call('GET', '')).json(), {
      pronunciations: [{ written: 'ABBA', spoken: '아바' }],
    });
    assert.equal((await call('DELETE', '/ABBA')).status, 204);
    assert.equal((await call('DELETE', '/ABBA')).status, 404);
    assert.equal(await readAs('ABBA가 온다.'), rules);
  });

  test('a clip that was made before is not what a new pronunciation is answered with', async () => {
    const ask = { input: 'GNU가 온다.', response_format: 'pcm' };
    const before = await (await server.speak(ask)).arrayBuffer();
    await call('PUT', '/GNU', { spoken: '그누그누그누' });
    assert.ok((await (await server.speak(ask)).arrayBuffer()).byteLength > before.byteLength * 1.1);
  });

  test('what is no reading, and words of any characters, are handled', async () => {
    for (const spoken of ['', 'abba', '아 ', '[[a]]', '가'.repeat(101)])
      assert.equal((await call('PUT', '/x', { spoken })).status, 422, spoken);
    assert.equal((await call('PUT', `/${'가'.repeat(51)}`, { spoken: '가' })).status, 422);
    for (const written of ['$a.b', 'C++', '__proto__', '美', 'a:b', '가/나']) {
      const path = `/${encodeURIComponent(written)}`;
      assert.equal((await call('PUT', path, { spoken: '가나' })).status, 200, written);
      assert.equal(await readAs(`${written} 끝`), '가나 끝', written);
      assert.equal((await call('DELETE', path)).status, 204, written);
    }
  });
});
