import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isUserError } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';
import dataquery from '../../../plugins/dataquery/index.js';
import { eachStore } from '../../support/stores.js';
import { openData, refusal, type Data } from './support/open-data.js';

const CATALOG = `
exposed: [a, b]
schemas:
  a: { relations: { notes: { columns: { id: { type: integer, default: { generated: identity } }, text: { type: text, required: true, default: empty } }, primaryKey: [id] } } }
  b: { relations: { notes: { columns: { id: integer, note_id: integer }, primaryKey: [id],
        foreignKeys: { fk: { columns: [note_id], references: { schema: a, relation: notes, columns: [id] } } } } } }
`;
const ROWS = { 'b.notes': [{ id: 7, note_id: 1 }], 'a.notes': [{ id: 1, text: 'one' }, { text: 'two' }] };

eachStore('the data API as a service', (store) => {
  test('a column that the server alone fills is described as one that is only read', async () => {
    const columns =
      '{ id: { type: integer, generated: true, default: { generated: identity } }, text: text }';
    const relations = `{ notes: { columns: ${columns}, primaryKey: [id] } }`;
    const data = await openData(
      await store.fresh(),
      `{ exposed: [a], schemas: { a: { relations: ${relations} } } }`,
    );
    const { body } = await data.send('GET', '/');
    const { definitions } = body as {
      definitions: Record<
        string,
        { required?: string[]; properties: Record<string, { readOnly?: boolean }> }
      >;
    };
    const { required, properties } = definitions['notes']!;
    assert.deepEqual(
      [required, properties['id']?.readOnly, properties['text']?.readOnly],
      [undefined, true, undefined],
    );
    assert.equal(refusal(await data.send('POST', '/notes', { id: 1 })), '400 428C9');
    await data.stop();
  });

  describe('answers', () => {
    let data: Data;
    before(async () => {
      data = await openData(await store.fresh(), CATALOG, ROWS, { maxWriteRows: 20 }, {}, '/data');
    });
    after(() => data.stop());

    test('rows of the file are loaded with the defaults that they leave out', async () => {
      assert.deepEqual(await data.rows('/data/notes?order=id'), [
        { id: 1, text: 'one' },
        { id: 2, text: 'two' },
      ]);
    });

    test('a profile chooses the schema, and comes back', async () => {
      const answer = await data.send('GET', '/data/notes', undefined, { 'accept-profile': 'b' });
      assert.deepEqual([answer.body, answer.headers['content-profile']], [[{ id: 7, note_id: 1 }], 'b']);
      const written = await data.send('POST', '/data/notes', { id: 8 }, { 'content-profile': 'b' });
      assert.equal(written.status, 201);
      assert.equal(
        refusal(await data.send('POST', '/data/notes', {}, { 'content-profile': 'c' })),
        '406 SVC106',
      );
    });

    test('HEAD is GET without its body', async () => {
      const head = await data.send('HEAD', '/data/notes', undefined, { prefer: 'count=exact' });
      assert.deepEqual(
        [head.status, head.headers['content-range'], head.headers['content-length'], head.body],
        [200, '0-1/2', undefined, undefined],
      );
    });

    test('a read says where it is in one canonical form', async () => {
      const answer = await data.send('GET', '/data/notes?order=id&id=gt.0');
      assert.equal(answer.headers['content-location'], '/notes?id=gt.0&order=id');
      assert.equal(answer.headers['vary'], 'Accept, Prefer, Range');
    });

    test('every row is on a line of its own', async () => {
      const { body } = await data.server.inject({ url: '/data/notes?order=id&id=lt.3' });
      assert.equal(body, '[{"id":1,"text":"one"}, \n {"id":2,"text":"two"}]');
    });

    test('OPTIONS lists the methods', async () => {
      const answer = await data.send('OPTIONS', '/data/notes');
      assert.equal(answer.headers['allow'], 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE');
      assert.equal((await data.send('OPTIONS', '/data/rpc/f')).headers['allow'], 'OPTIONS,GET,HEAD,POST');
    });

    test('the root describes the relations', async () => {
      const { body, headers } = await data.send('GET', '/data/');
      const document = body as { basePath: string; definitions: Record<string, object>; paths: object };
      assert.equal(headers['content-type'], 'application/openapi+json; charset=utf-8');
      assert.equal(document.basePath, '/data');
      assert.deepEqual(Object.keys(document.paths), ['/', '/notes']);
      assert.deepEqual(document.definitions['notes'], {
        type: 'object',
        required: ['id', 'text'],
        properties: {
          id: { type: 'integer', format: 'integer', description: 'Note:\nThis is a Primary Key.<pk/>' },
          text: { type: 'string', format: 'text', default: 'empty' },
        },
      });
    });

    test('the document of the server names the parameters that join filters', async () => {
      const { body } = await data.server.inject({ url: '/-/openapi.json' });
      interface Operation {
        readonly parameters: readonly { readonly name: string; readonly in: string }[];
      }
      const { paths } = JSON.parse(body) as { paths: Record<string, Record<string, Operation>> };
      const joins = Object.entries(paths['/data/notes'] ?? {}).flatMap(([method, { parameters }]) =>
        ['or', 'and'].every((join) =>
          parameters.some(({ name, in: place }) => name === join && place === 'query'),
        )
          ? [method]
          : [],
      );
      assert.deepEqual(joins.toSorted(), ['delete', 'get', 'patch']);
      assert.deepEqual(await data.rows('/data/notes?or=(id.eq.1,text.eq.none)&and=(id.lt.9,id.gt.0)'), [
        { id: 1, text: 'one' },
      ]);
    });

    const refused: readonly [method: string, path: string, code: string][] = [
      ['GET', '/data/nots', '404 SVC205'],
      ['GET', '/data/notes/1', '404 SVC125'],
      ['GET', '/data/rpc/f/g', '404 SVC125'],
      ['POST', '/data', '405 SVC117'],
      ['TRACE', '/data/notes', '405 SVC117'],
      ['PATCH', '/data/rpc/f', '405 SVC101'],
      ['GET', '/data/rpc/f', '404 SVC202'],
      ['GET', '/data/notes?id=eq.x', '400 22P02'],
      ['GET', '/data/notes?nope=eq.1', '400 42703'],
      ['GET', '/data/notes?limit=-1', '416 SVC103'],
      ['GET', '/data/%ff', '400 malformed_url'],
    ];
    for (const [method, path, code] of refused) {
      test(`${method} ${path} is refused with ${code}, in four keys`, async () => {
        const answer = await data.send(method, path);
        assert.equal(refusal(answer), code);
        assert.deepEqual(Object.keys(answer.body as object), ['code', 'message', 'details', 'hint']);
      });
    }

    test('a body that nobody can read is refused', async () => {
      const send = (body: string | Buffer, type: string) =>
        data.send('POST', '/data/notes', body, { 'content-type': type });
      assert.equal(refusal(await send('x', 'image/png')), '400 SVC102');
      assert.equal(refusal(await send('{"id":', 'application/json')), '400 SVC102');
      const latin1 = Buffer.from('id,text\n900,caf\xe9\n', 'latin1');
      assert.equal(refusal(await send(latin1, 'text/csv')), '400 SVC102');
      assert.equal(refusal(await send('{"id":1}', 'application/x-www-form-urlencoded')), '400 SVC102');
      assert.equal(refusal(await send('['.repeat(100_000), 'application/json')), '400 SVC102');
      assert.equal(
        refusal(await send(`${'['.repeat(600)}${']'.repeat(600)}`, 'application/json')),
        '400 SVC102',
      );
    });

    test('import rows loads JSON, NDJSON and CSV, and says what it refuses', async () => {
      const file = async (name: string, text: string | Buffer): Promise<string> => {
        await mkdir(join(data.directory, 'import'), { recursive: true });
        await writeFile(join(data.directory, 'import', name), text);
        return join(data.directory, 'import', name);
      };
      const run = (...words: string[]) => data.server.command(['import', 'rows', ...words]);
      const csv = await run(await file('notes.csv', 'id,text\n10,ten\n11,\n'));
      assert.match(
        csv.stderr,
        /"notes", line 3: null value in column "text" .*; the 1 rows before it are stored, the same command goes on/,
      );
      const mended = await run(await file('notes.csv', 'id,text\n10,ten\n11,"a\nb"\n12,c\n'));
      assert.deepEqual([mended.stdout, mended.code], ['notes: 2 of 3 rows\n', 0]);
      assert.match(mended.stderr, /notes: 1 rows are stored by an import before this one/);
      const other = await run(await file('notes.csv', 'id,text\n13,x\n'));
      assert.equal(other.stdout, 'notes: 1 of 1 rows\n');
      const lines = await run(await file('notes.ndjson', '{"id":20,"text":"x"}\n{"text":"y"}\n'));
      assert.deepEqual([lines.code, lines.stdout], [0, 'notes: 2 of 2 rows\n']);
      const latin1 = Buffer.from('id,text\n900,caf\xe9\n', 'latin1');
      assert.match((await run(await file('old.csv', latin1), '--relation', 'notes')).stderr, /is not UTF-8/);
      assert.match((await run(await file('notes.json', latin1))).stderr, /is not UTF-8/);
      const both = await file(
        'all.json',
        JSON.stringify({ 'b.notes': [{ id: 1, note_id: 30 }], 'a.notes': [{ id: 30 }] }),
      );
      assert.equal((await run(both)).stdout, 'notes: 1 of 1 rows\nnotes: 1 of 1 rows\n');
      assert.match((await run(both)).stderr, /Key \(id\)=\(30\) already exists/);
      assert.equal(
        (await run(both, '--duplicates', 'ignore')).stdout,
        'notes: 0 of 1 rows\nnotes: 0 of 1 rows\n',
      );
      assert.match(
        (await run(await file('nots.json', '[]'))).stderr,
        /no relation "nots"; did you mean "a\.notes"\?/,
      );
      assert.deepEqual(await data.rows('/data/notes?id=gte.20&order=id'), [
        { id: 20, text: 'x' },
        { id: 21, text: 'y' },
        { id: 30, text: 'empty' },
      ]);
      // What one request may write does not bound an import.
      const many = Array.from({ length: 30 }, (_, at) => `${100 + at},x\n`).join('');
      const stored = await run(await file('many.csv', `id,text\n${many}`), '--relation', 'notes');
      assert.equal(stored.stdout, 'notes: 30 of 30 rows\n');
    });

    test('a catalog is reloaded in one step, and one with problems changes nothing', async () => {
      const file = join(data.directory, 'catalog.yaml');
      const key = await data.server.key('manage');
      const reload = () => data.send('POST', '/data/-/reload', undefined, { authorization: `Bearer ${key}` });
      const everything = async () =>
        Object.keys(((await data.rows('/data/notes?id=eq.1')) as object[])[0] ?? {});
      assert.equal((await everything()).includes('mood'), false);
      await writeFile(file, CATALOG.replace('text: { type', 'mood: text, text: { type'));
      assert.deepEqual((await reload()).body, { schemas: 2, relations: 2, functions: 0, warnings: [] });
      assert.deepEqual(await data.rows('/data/notes?select=mood&id=eq.1'), [{ mood: null }]);
      assert.equal((await everything()).includes('mood'), true);
      await writeFile(file, CATALOG.replace('primaryKey: [id]', 'primaryKey: [idd]'));
      const answer = await reload();
      assert.equal(refusal(answer), '422 SVC130');
      assert.match(
        (answer.body as { details: string }).details,
        /catalog\.yaml:4:.* no column "idd" in "notes"/,
      );
      assert.deepEqual(await data.rows('/data/notes?select=mood&id=eq.1'), [{ mood: null }]);
    });
  });

  test('a plan says how rows are found, to those who may see it', async (t) => {
    const data = await openData(await store.fresh(), CATALOG, ROWS, { auth: 'bearer' }, {}, '/data');
    t.after(() => data.stop());
    const key = await data.server.key('data:explain', 'data:read', 'data:write');
    const ask = (path: string, accept: string, token?: string) =>
      data.send('GET', path, undefined, {
        accept,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      });
    const json = 'application/vnd.pgrst.plan+json';
    assert.equal((await ask('/data/notes', json, 'pb_wrong')).status, 401);
    assert.equal((await ask('/data/notes', json, await data.server.key('data:read'))).status, 403);
    const { status, headers, body } = await ask('/data/notes?id=eq.1&select=id', json, key);
    assert.equal(status, 200);
    assert.equal(headers['content-type'], `${json}; charset=utf-8`);
    const [{ Plan: plan }] = body as [
      { Plan: { 'Actual Rows': number; Access: object[]; Plans: Record<string, unknown>[] } },
    ];
    const reason = 'storage decides the conditions and the order';
    assert.deepEqual(plan.Access, [
      { 'Node Type': 'Scan', Role: 'notes', Reason: reason, 'Plan Rows': 1_000 },
    ]);
    assert.equal(plan['Actual Rows'], 1);
    // With two rows MongoDB takes the index or reads both.
    const scans = store.name === 'embedded' ? ['Index Scan'] : ['Index Scan', 'Seq Scan'];
    assert.ok(scans.includes(String(plan.Plans[0]?.['Node Type'])), JSON.stringify(plan));
    assert.equal(plan.Plans[0]?.['Relation Name'], 'notes');
    assert.equal(plan.Plans[0]['Actual Rows'], 1);
    const text = await ask('/data/notes?text=like.*a*', 'application/vnd.pgrst.plan', key);
    assert.match(
      String(text.body),
      /^Data API {2}\(actual rows=\d+\)\n {2}notes: Scan {2}\(rows=1000\): storage decides.*\n {2}-> {2}Seq Scan on a.notes, find/,
    );
    const written = await data.send('DELETE', '/data/notes?id=eq.1', undefined, {
      accept: json,
      authorization: `Bearer ${key}`,
      prefer: 'return=representation',
    });
    assert.equal(refusal(written), '406 SVC107');
  });

  test('where everything is open, so are plans', async (t) => {
    const data = await openData(await store.fresh(), CATALOG, ROWS);
    t.after(() => data.stop());
    const accept = 'application/vnd.pgrst.plan+json';
    assert.equal((await data.send('GET', '/notes', undefined, { accept })).status, 200);
  });

  test('with keys, reading needs the scope data:read and writing data:write', async (t) => {
    const data = await openData(await store.fresh(), CATALOG, ROWS, { auth: 'bearer' });
    t.after(() => data.stop());
    const bearer = async (...scopes: string[]) => ({
      authorization: `Bearer ${await data.server.key(...scopes)}`,
    });
    const [reader, writer] = [await bearer('data:read'), await bearer('data:write')];
    assert.equal((await data.send('GET', '/notes')).status, 401);
    assert.equal((await data.send('GET', '/notes', undefined, reader)).status, 200);
    assert.equal((await data.send('POST', '/notes', {}, reader)).status, 403);
    assert.equal((await data.send('POST', '/notes', {}, writer)).status, 201);
    assert.equal((await data.send('GET', '/notes', undefined, writer)).status, 403);
    assert.equal((await data.send('POST', '/-/reload', undefined, writer)).status, 403);
  });
});

test('a catalog with problems keeps the server from starting, and all of them are told', async () => {
  const baseDir = await mkdtemp(join(tmpdir(), 'plugboard-data-'));
  await writeFile(
    join(baseDir, 'c.yaml'),
    'schemas: { s: { relations: { t: { columns: { id: {} }, primaryKey: [x] } } } }',
  );
  const boot = bootTest({ baseDir, plugins: [{ plugin: dataquery, config: { catalog: 'c.yaml' } }] });
  await assert.rejects(boot, (error: Error) => {
    const text = `${error.message} ${String((error.cause as Error | undefined)?.message)}`;
    assert.ok(isUserError(error.cause), 'the start ends with code 2');
    return /c\.yaml:1:50 error .*a column needs a "type"/.test(text) && /no column "x" in "t"/.test(text);
  });
  await rm(baseDir, { recursive: true });
});
