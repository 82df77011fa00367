/**
 * Generated requests over every route of the OpenAPI document, valid, not, and of hostile size: no 500, every body in its dialect
 * and matching its schema.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import type { TestServer } from 'plugboard/testing';
import { bootConfig } from '../support/servers/boot-config.js';
import { root } from '../support/fixtures.js';
import { hostileBody, hostileText } from '../support/openapi/hostile-arbitrary.js';
import { fitting, unfitting, type JsonSchema } from '../support/openapi/schema-arbitrary.js';
import type { StoreConfig } from '../support/stores.js';

/** FUZZ_SEED repeats a run. */
export const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>>;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses?: Readonly<Record<string, Content>>;
}

interface Call {
  readonly operation: Operation;
  readonly url: string;
  readonly payload: string | undefined;
  readonly contentType: string;
  readonly credential: 'none' | 'wrong' | 'weak' | 'strong';
}

/** Answers what came back, by status, in words; throws where an answer is not as it must be. */
export async function fuzz(requests: number, storage?: StoreConfig): Promise<string> {
  const server = await bootConfig(join(root, 'config/default.yaml'), { storage });
  try {
    return await fuzzServer(server, requests);
  } finally {
    // Also where an answer is wrong: an open server would keep the test from ending.
    await server.stop();
  }
}

async function fuzzServer(server: TestServer, requests: number): Promise<string> {
  const keys = { weak: await server.key('usage'), strong: await server.key('*') };
  const document = inlined((await server.inject('/-/openapi.json')).json<Document>());
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
  assert.ok(operations.length > 20, `${operations.length} operations`);
  const schemas = new AnswerSchemas();
  const statuses = new Map<number, number>();
  const met = new Set<string>();

  for (const call of generated(fc.oneof(...operations.map(callOf)), requests)) {
    const { operation, url, payload, contentType, credential } = call;
    const key = credential === 'wrong' ? 'pb_wrong' : credential === 'none' ? undefined : keys[credential];
    const answer = await server.inject({
      method: operation.method as 'GET',
      url,
      headers: {
        ...(payload !== undefined && { 'content-type': contentType }),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      ...(payload !== undefined && { payload }),
    });
    const shown = () =>
      `${operation.method} ${url.slice(0, 500)} ${payload?.slice(0, 500) ?? ''}\n${answer.statusCode} ${answer.body.slice(0, 500)}\nFUZZ_SEED=${seed}`;
    assert.notEqual(answer.statusCode, 500, shown());
    const fault = schemas.faultOf(operation, answer.statusCode, answer.headers['content-type'], answer.body);
    assert.equal(fault, undefined, `${fault}\n${shown()}`);
    statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
    met.add(`${operation.method} ${operation.path}`);
  }
  assert.equal(met.size, operations.length, 'every operation was called');
  assert.ok((statuses.get(200) ?? 0) > 0 && (statuses.get(400) ?? 0) > 0 && (statuses.get(401) ?? 0) > 0);
  return `${operations.length} operations, answers by status: ${JSON.stringify(Object.fromEntries([...statuses].toSorted()))}`;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'method' | 'path'>>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

/** With each component in the place of the references to it. One inside itself accepts anything. */
function inlined(document: Document): Document {
  const { schemas } = document.components;
  const inline = (value: unknown, within: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((item) => inline(item, within));
    if (typeof value !== 'object' || value === null) return value;
    const name = '$ref' in value ? String(value.$ref).split('/').at(-1)! : undefined;
    if (name !== undefined) return within.includes(name) ? {} : inline(schemas[name], [...within, name]);
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inline(part, within)]));
  };
  return { ...document, paths: inline(document.paths, []) as Document['paths'] };
}

/** Calls that are made at once: some of them are of hostile size. */
const AT_ONCE = 1_000;

function* generated(calls: fc.Arbitrary<Call>, count: number): Generator<Call, void> {
  for (let at = 0; at < count; at += AT_ONCE)
    yield* fc.sample(calls, { numRuns: Math.min(AT_ONCE, count - at), seed: (seed + at) | 0 });
}

function callOf(operation: Operation): fc.Arbitrary<Call> {
  const parameters = operation.parameters ?? [];
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  const body = schema === undefined ? fc.constant(undefined) : bodyText(schema);
  return fc.record({
    operation: fc.constant(operation),
    url: urlOf(operation.path, parameters),
    payload: body,
    contentType: fc.oneof(
      { weight: 19, arbitrary: fc.constant('application/json') },
      {
        weight: 1,
        arbitrary: fc.constantFrom('text/plain', 'application/x-www-form-urlencoded', 'nonsense'),
      },
    ),
    credential: fc.oneof(
      { weight: 8, arbitrary: fc.constant('strong' as const) },
      { weight: 2, arbitrary: fc.constantFrom('none' as const, 'wrong' as const, 'weak' as const) },
    ),
  });
}

function bodyText(schema: JsonSchema): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fitting(schema).map((value) => JSON.stringify(value)) },
    { weight: 3, arbitrary: unfitting(schema).map((value) => JSON.stringify(value) ?? '') },
    { weight: 1, arbitrary: hostileBody },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', '{', '[', '{"a":}', 'null', '"', '\u0000', '{"__proto__":1}'),
    },
  );
}

function urlOf(path: string, parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const value = (schema: JsonSchema) =>
    fc
      .oneof(
        { weight: 8, arbitrary: fitting(schema) },
        { weight: 2, arbitrary: unfitting(schema) },
        { weight: 1, arbitrary: hostileText },
      )
      .map((one) => (typeof one === 'string' ? one : (JSON.stringify(one) ?? '')));
  const places = fc.record(
    Object.fromEntries(inPath.map(({ name, schema }) => [name, fc.oneof(value(schema), fc.uuid())])),
  );
  const query = fc.record(Object.fromEntries(inQuery.map(({ name, schema }) => [name, value(schema)])), {
    requiredKeys: [],
  });
  // What a query language reads is no parameter of the document.
  const language = path.startsWith('/data/')
    ? fc.dictionary(fc.constantFrom('select', 'order', 'or', 'title', 'limit', 'offset'), hostileText, {
        maxKeys: 2,
      })
    : fc.constant({});
  return fc.tuple(places, query, language).map(([filled, documented, spoken]) => {
    const asked = { ...documented, ...spoken };
    const text = path
      .replace('{rest}', 'films')
      .replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(wellFormed((filled[name] ?? 'x').slice(0, 900))),
      );
    const pairs = Object.entries(asked).map(
      ([name, one]) =>
        `${encodeURIComponent(name)}=${encodeURIComponent(wellFormed(String(one).slice(0, 2000)))}`,
    );
    return pairs.length === 0 ? text : `${text}?${pairs.join('&')}`;
  });
}

/** encodeURIComponent refuses half a surrogate pair. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udfff]/gu, '\ufffd');
}

/** The documented shapes of the answers, compiled once each. */
class AnswerSchemas {
  readonly #ajv = addFormats.default(new Ajv({ strict: false }));
  readonly #compiled = new Map<string, ValidateFunction>();

  /** What is wrong with an answer; undefined when it is as documented, or the document says nothing of its body. */
  faultOf(
    { method, path, responses = {} }: Operation,
    status: number,
    type: unknown,
    body: string,
  ): string | undefined {
    const documented = responses[String(status)] ?? (status >= 400 ? responses['default'] : undefined);
    const schema = documented?.content?.['application/json']?.schema;
    if (schema === undefined || !String(type).includes('json'))
      return status >= 400 && !String(type).includes('json') && method !== 'HEAD'
        ? 'an error that is not JSON'
        : undefined;
    if (body === '' && method === 'HEAD') return undefined;
    const key = `${method} ${path} ${responses[String(status)] === undefined ? 'default' : status}`;
    const validate = this.#compiled.get(key) ?? this.#ajv.compile(schema);
    this.#compiled.set(key, validate);
    return validate(JSON.parse(body)) ? undefined : this.#ajv.errorsText(validate.errors);
  }
}
