import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DIRECTORY } from 'plugboard/sdk';
import { bootTest, type TestServer } from 'plugboard/testing';
import {
  ADMIN_PASSWORD,
  basic,
  guarded,
  manager,
  MINUTE,
  outcome,
  temporaryFolder,
  TestClock,
} from './support.js';

interface User {
  id: number;
  login: string;
}

const plugins = [{ plugin: guarded({ user: { accepts: 'basicUser' } }) }];
const auth = { adminPassword: ADMIN_PASSWORD };

test('a user is created, read, changed and deleted, and the password is in no answer', async () => {
  await using server = await bootTest({ plugins, auth });
  const call = await manager(server);
  const created = await call('POST', '/api/users', {
    login: 'Ann',
    password: 'password of ann',
    email: 'ann@example.com',
  });
  assert.equal(created.statusCode, 201);
  const ann = created.json<User>();
  const { createdAt, imageId, ...rest } = created.json<User & { createdAt: string; imageId: string }>();
  assert.match(imageId, /^[0-9a-f]{32}$/);
  assert.ok(Date.parse(createdAt) > 0);
  assert.deepEqual(rest, {
    id: 1,
    login: 'Ann',
    type: 'User',
    siteAdmin: false,
    name: null,
    email: 'ann@example.com',
    hasPassword: true,
    twoFactor: false,
    access: null,
  });
  assert.deepEqual((await call('GET', '/api/users/1')).json(), ann);
  assert.deepEqual((await call('GET', '/api/users')).json(), { users: [ann], total: 1, next: null });

  const changed = await call('PATCH', '/api/users/1', { name: 'Ann Lee', email: null, siteAdmin: true });
  assert.deepEqual(changed.json(), { ...ann, name: 'Ann Lee', email: null, siteAdmin: true });
  assert.deepEqual((await call('PATCH', '/api/users/1', {})).json(), changed.json());

  assert.equal((await call('DELETE', '/api/users/1')).statusCode, 204);
  for (const answer of [await call('GET', '/api/users/1'), await call('DELETE', '/api/users/1')]) {
    assert.equal(outcome(answer), '404 user_not_found');
  }
  const next = await call('POST', '/api/users', { login: 'Ann' });
  assert.equal(next.json<User>().id, 2, 'the id of a deleted user is not given away');
});

test('a bad user is refused with the property at fault', async () => {
  await using server = await bootTest({ plugins, auth });
  const call = await manager(server);
  const cases: [payload: object, code: string][] = [
    [{}, 'invalid_request'],
    [{ login: 'has space' }, 'invalid_request'],
    [{ login: '-dash' }, 'invalid_request'],
    [{ login: 'a'.repeat(40) }, 'invalid_request'],
    [{ login: 'ann', password: 'short' }, 'invalid_request'],
    [{ login: 'ann', email: 'no address' }, 'invalid_request'],
    [{ login: 'ann', id: 7 }, 'invalid_request'],
    [{ login: 'acme', type: 'Organization', password: 'three words of hers' }, 'organization_login'],
  ];
  for (const [payload, code] of cases) {
    assert.equal(outcome(await call('POST', '/api/users', payload)), `400 ${code}`, JSON.stringify(payload));
  }
  assert.equal((await call('GET', '/api/users')).json<{ total: number }>().total, 0);
});

test('users are listed page by page, and searched by a part of what they are called', async () => {
  await using server = await bootTest({ plugins, auth });
  const call = await manager(server);
  for (const payload of [
    { login: 'Zoe', name: 'Ann Zoe' },
    { login: 'ann' },
    { login: 'bob', email: 'bob.ann@example.com' },
    { login: 'dan.x' },
    { login: 'danxx' },
  ])
    assert.equal((await call('POST', '/api/users', payload)).statusCode, 201);
  const page = async (query: string): Promise<string> => {
    const answer = (await call('GET', `/api/users?${query}`)).json<{
      users: User[];
      total: number;
      next: string | null;
    }>();
    const logins = answer.users.map(({ login }) => login).join(' ');
    return `${logins} of ${answer.total}, next ${answer.next}`;
  };
  assert.equal(await page('limit=2'), 'ann bob of 5, next bob');
  assert.equal(await page('limit=2&after=bob'), 'dan.x danxx of 5, next danxx');
  assert.equal(await page('limit=2&after=danxx'), 'Zoe of 5, next null');
  assert.equal(await page('search=ANN&limit=2'), 'ann bob of 3, next bob');
  assert.equal(await page('search=ANN&limit=2&after=bob'), 'Zoe of 3, next null');
  assert.equal(await page('search=dan.x'), 'dan.x of 1, next null');
  assert.equal(await page('search=(a%2B)%2B%24'), ' of 0, next null');
});

test('an id beyond all numbers of a store is a 400', async () => {
  await using server = await bootTest({ plugins, auth });
  const call = await manager(server);
  const huge = '9'.repeat(200);
  assert.equal((await call('GET', `/api/users/${huge}`)).statusCode, 400);
});

test('other plugins find users by login and by id', async () => {
  await using server = await bootTest({ plugins, auth });
  const call = await manager(server);
  await call('POST', '/api/users', { login: 'acme', type: 'Organization', name: 'Acme', imageId: 'logo' });
  const directory = server.service(DIRECTORY);
  const acme = {
    id: 1,
    login: 'acme',
    type: 'Organization',
    siteAdmin: false,
    imageId: 'logo',
    name: 'Acme',
    email: null,
    avatarUrl: null,
    external: false,
  };
  const { createdAt, ...found } = (await directory.byLogin('ACME')) ?? assert.fail('acme is there');
  assert.deepEqual(found, acme);
  assert.deepEqual(await directory.byId(1), { createdAt, ...acme });
  assert.equal(await directory.byLogin('nobody'), null);
  assert.equal(await directory.byId(2), null);
});

test('an organization and a user without a password cannot log in', async () => {
  await using server = await bootTest({ plugins, auth });
  const call = await manager(server);
  await call('POST', '/api/users', { login: 'acme', type: 'Organization' });
  await call('POST', '/api/users', { login: 'ann' });
  for (const name of ['acme', 'ann']) assert.equal(await enter(server, name, ''), '401 bad_credentials');
});

test('wrong codes lock the login as wrong passwords do, and forgotten codes do not', async () => {
  await using server = await bootTest({ plugins, auth });
  const call = await manager(server);
  await call('POST', '/api/users', { login: 'ann', password: 'password of ann' });
  await call('POST', '/api/users/1/otp');
  for (let time = 0; time < 11; time += 1) {
    assert.equal(await enter(server, 'ann', 'password of ann'), '401 otp_required');
  }
  for (let failure = 0; failure < 10; failure += 1) {
    assert.equal(await enter(server, 'ann', 'password of ann', { otp: '000000' }), '401 invalid_otp');
  }
  assert.equal(await enter(server, 'ann', 'password of ann', { otp: '000000' }), '429 too_many_attempts');
});

test('a second factor that was sealed with a key no longer listed is a 503, and a new one mends it', async (t) => {
  const baseDir = await temporaryFolder(t);
  const [old, next] = ['1'.repeat(64), '2'.repeat(64)];
  for (const sealKeys of [[old], [next, old], [next]]) {
    await using server = await bootTest({ plugins, baseDir, auth, secrets: { keys: sealKeys } });
    const call = await manager(server);
    if (sealKeys[0] === old) {
      await call('POST', '/api/users', { login: 'ann', password: 'password of ann' });
      await call('POST', '/api/users/1/otp');
    }
    const expected = sealKeys.includes(old) ? '401 invalid_otp' : '503 otp_unreadable';
    assert.equal(await enter(server, 'ann', 'password of ann', { otp: '000000' }), expected);
    if (sealKeys.includes(old)) continue;
    await call('POST', '/api/users/1/otp');
    assert.equal(await enter(server, 'ann', 'password of ann', { otp: '000000' }), '401 invalid_otp');
  }
});

test('failures lock a login from that address, whatever its case and whether or not it exists, and nobody elsewhere', async () => {
  const clock = new TestClock();
  const lockout = { basic: { failures: 4, minutes: 15 } };
  await using server = await bootTest({ plugins, auth: { ...auth, lockout }, clock });
  const call = await manager(server);
  await call('POST', '/api/users', { login: 'ann', password: 'password of ann' });
  for (const name of ['ann', 'nobody']) {
    for (let failure = 0; failure < 4; failure += 1) {
      const written = failure % 2 === 0 ? name : name.toUpperCase();
      const from = '10.0.0.1';
      assert.equal(await enter(server, written, 'wrong password', { from }), '401 bad_credentials');
    }
    const locked = await enter(server, name, 'password of ann', { from: '10.0.0.1' });
    assert.equal(locked, '429 too_many_attempts', 'with the right password too');
  }
  assert.equal(await enter(server, 'ann', 'password of ann', { from: '10.1.0.1' }), '200 user');
  clock.advance(MINUTE);
  assert.equal(await enter(server, 'ann', 'password of ann', { from: '10.0.0.1' }), '200 user');
});

test('an address that guesses at many logins waits, but not for a login that was right from there', async () => {
  const clock = new TestClock();
  const lockout = { basic: { failures: 2, minutes: 15 } };
  await using server = await bootTest({ plugins, auth: { ...auth, lockout }, clock });
  const call = await manager(server);
  await call('POST', '/api/users', { login: 'ann', password: 'password of ann' });
  await call('POST', '/api/users', { login: 'bob', password: 'password of bob' });
  assert.equal(await enter(server, 'ann', 'password of ann'), '200 user');
  for (let failure = 0; failure < 20; failure += 1)
    assert.equal(await enter(server, `guess-${failure}`, 'wrong password'), '401 bad_credentials');
  assert.equal(await enter(server, 'bob', 'password of bob'), '429 too_many_attempts');
  assert.equal(await enter(server, 'ann', 'password of ann'), '200 user');
  clock.advance(6 * MINUTE);
  assert.equal(await enter(server, 'ann', 'password of ann'), '200 user', 'also when it is hashed again');
  assert.equal(await enter(server, 'bob', 'password of bob'), '200 user');
});

async function enter(
  server: TestServer,
  login: string,
  password: string,
  { otp, from = '127.0.0.1' }: { otp?: string; from?: string } = {},
): Promise<string> {
  const headers = { ...basic(login, password), ...(otp !== undefined && { 'x-github-otp': otp }) };
  return outcome(await server.inject({ url: '/guarded/user', headers, remoteAddress: from }));
}
