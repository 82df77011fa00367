/** The pages of plugins: who sees them, and what of a plugin's files is served. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestServer } from 'plugboard/testing';
import { ADMIN_PASSWORD, bootConsole, notes } from './support.js';

interface Listed {
  readonly plugin: string;
  readonly id: string;
  readonly module: string;
  readonly css: readonly string[];
}

async function listed(server: TestServer, headers: Record<string, string>): Promise<Listed[]> {
  const answer = await server.inject({ url: '/console/pages', headers });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json<{ pages: Listed[] }>().pages;
}

async function logIn(server: TestServer, login: string, password: string): Promise<Record<string, string>> {
  const answer = await server.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { login, password },
  });
  return { cookie: String(answer.headers['set-cookie']).split(';')[0]! };
}

const names = (pages: readonly Listed[]): string[] => pages.map(({ plugin, id }) => `${plugin}/${id}`);

test('a person sees the pages that their scopes open, and those for everybody', async () => {
  await using server = await bootConsole({
    plugins: [{ plugin: await notes() }],
    auth: { adminPassword: ADMIN_PASSWORD, memberScopes: ['notes'] },
  });
  const admin = await logIn(server, 'admin', ADMIN_PASSWORD);
  const password = 'nine yellow submarines';
  for (const [login, access] of [
    ['vera', 'viewer'],
    ['mo', 'member'],
  ])
    await server.inject({
      method: 'POST',
      url: '/api/users',
      headers: { authorization: `Bearer ${await server.key('*')}` },
      payload: { login, access, password },
    });
  const all = names(await listed(server, admin));
  assert.ok(all.includes('notes/rule') && all.includes('auth/people'), all.join());
  assert.deepEqual(names(await listed(server, await logIn(server, 'vera', password))), all);
  const ofMember = names(await listed(server, await logIn(server, 'mo', password)));
  assert.deepEqual(ofMember.toSorted(), ['auth/keys', 'auth/sessions', 'notes/read']);
  const nobody = await server.inject('/console/pages');
  assert.equal(nobody.statusCode, 401);
});

test('a page of another plugin is served with the files in its folder and below, and nothing else', async () => {
  await using server = await bootConsole({ plugins: [{ plugin: await notes() }] });
  const pages = await listed(server, { authorization: `Bearer ${await server.key('*')}` });
  const page = pages.find(({ plugin, id }) => plugin === 'notes' && id === 'read')!;
  assert.deepEqual([page.module, page.css], ['pages/notes/read/notes.js', ['pages/notes/read/notes.css']]);
  const module = await server.inject(`/console/${page.module}`);
  assert.equal(module.body, 'export function mount() {}');
  assert.equal(module.headers['content-type'], 'text/javascript; charset=utf-8');
  const headers = { 'if-none-match': String(module.headers['etag']) };
  assert.equal((await server.inject({ url: `/console/${page.module}`, headers })).statusCode, 304);
  assert.equal((await server.inject('/console/pages/notes/read/parts/row.js')).statusCode, 200);
  for (const path of [
    'notes/read/notes.ts',
    'notes/read/linked.js',
    'notes/read/..%2fsecret.js',
    'notes/read/..%2f..%2fsecret.js',
    'notes/read/parts',
    'notes/read/none.js',
    'notes/other/notes.js',
    'other/read/notes.js',
  ])
    assert.equal((await server.inject(`/console/pages/${path}`)).statusCode, 404, path);
});
