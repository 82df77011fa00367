/** Names that people should not give and will: what looks like HTML, what turns the line round, what does not end. */
import assert from 'node:assert/strict';
import type { TestServer } from 'plugboard/testing';

export const HOSTILE = '<img src=x onerror=alert(1)>';
/** Writes what follows from right to left. */
const TURNED = '\u202Egpj.exe\u2067<script>alert(2)</script>';
const ENDLESS = 'W'.repeat(10_000);

/** A thing of each service, with such names as far as the service takes them. */
export async function nameHostilely(server: TestServer): Promise<void> {
  const headers = { authorization: `Bearer ${await server.key('*')}` };
  const write = async (
    method: 'POST' | 'PUT',
    url: string,
    payload: object,
    authorization = headers.authorization,
  ): Promise<void> => {
    const made = await server.inject({ method, url, headers: { authorization }, payload });
    assert.ok(made.statusCode < 300, `${method} ${url}: ${made.body}`);
  };
  for (const name of [HOSTILE, TURNED, ENDLESS.slice(0, 100)]) {
    await write('POST', '/api/keys', {
      name,
      scopes: ['memory', 'chat', 'speech', 'data:read'],
    });
    await write('POST', '/api/playground/presets', {
      name,
      endpoint: 'chat.completions',
      model: name,
      system: ENDLESS,
    });
    await write('POST', '/api/memory', { key: name, content: `${name} ${ENDLESS}`, sessionId: name });
    await write('POST', '/api/changes/endpoints', {
      url: `https://a.example/${encodeURIComponent(name)}`,
      types: ['*'],
      description: name,
    });
  }
  const password = 'nine yellow submarines';
  await write('POST', '/api/users', { login: 'tess', name: HOSTILE, email: 'tess@a.example', password });
  const basic = `Basic ${Buffer.from(`tess:${password}`).toString('base64')}`;
  for (const note of [HOSTILE, TURNED, ENDLESS.slice(0, 255)])
    await write('POST', '/authorizations', { note, fingerprint: note }, basic);
  await write('POST', '/v2/core/accounts', {
    contact_email: 'a@a.example',
    display_name: HOSTILE,
    configuration: { customer: {} },
  });
}
