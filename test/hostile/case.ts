/** One request of the hostile corpus. A plugin adds its own in `test/hostile/cases/PLUGIN.ts`, as `export const cases`. */
import type { ClientKind } from './clients.js';

export interface HostileCase {
  /** What is hostile about it. */
  readonly name: string;
  readonly method?: string;
  /** Path and query. */
  readonly path: string;
  /** The scope of the least API key that opens the route, or several with a blank between them; none is asked without. */
  readonly scope?: string;
  /** If a route takes no API key: Basic of a user, or an application, whose client id replaces `{app}` in the path. */
  readonly as?: 'user' | 'app';
  readonly headers?: Readonly<Record<string, string>>;
  /** Made when it is sent: a corpus of large bodies need not lie in memory. `at` counts those that are sent at once. */
  readonly body?: (at: number) => string | Uint8Array;
  /** Bytes for the socket as they are, in place of all of the above. */
  readonly raw?: string;
  /** Sent over a socket of its own by a client that misbehaves; default: one that reads its answer. */
  readonly client?: ClientKind;
  /** Milliseconds until such a client leaves; default 1,000. */
  readonly patience?: number;
  /** Sent so many times at once. */
  readonly atOnce?: number;
  /** Sent before it each time, by the same credential: makes what it needs, or takes away what it left the last time. */
  readonly before?: readonly HostileCase[];
}

type Route = Pick<HostileCase, 'method' | 'path' | 'scope' | 'as'>;

const json = { 'content-type': 'application/json' } as const;
const MB = 1_000_000;

/** JSON that is dear to parse, to hold or to answer, by what is hostile about it. */
const BODIES: Readonly<Record<string, () => string | Uint8Array>> = {
  '10 MB of empty objects': () => `[${'{},'.repeat(3.3 * MB)}{}]`,
  '0.9 MB of empty objects': () => `[${'{},'.repeat(0.3 * MB)}{}]`,
  '0.9 MB of one member each': () => `{${Array.from({ length: 80_000 }, (_, at) => `"k${at}":1`).join(',')}}`,
  '0.9 MB of digits': () => `{"a":${'1'.repeat(0.9 * MB)}}`,
  '0.9 MB of white space': () => `${' '.repeat(0.9 * MB)}x`,
  '0.9 MB of escapes': () => `{"a":"${'\\u0000'.repeat(0.15 * MB)}"}`,
  '0.9 MB of backslashes, never closed': () => `{"a":"${'\\'.repeat(0.9 * MB)}`,
  '400,000 levels of lists': () => `${'['.repeat(400_000)}${']'.repeat(400_000)}`,
  '500 levels of objects': () => `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`,
  'a prototype': () => '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}',
  'bytes that are not UTF-8': () => new Uint8Array(10_000).fill(0xff),
  'a number beyond all numbers': () => '{"a":1e999999,"b":-1e999999,"c":1e-999999}',
  'the empty text': () => '',
  'a bare null': () => 'null',
  'a member whose name has 0.9 million letters': () => `{"${'x'.repeat(0.9 * MB)}":1}`,
};

/** The bodies above at one route, with the scope that opens it. */
export function hostileBodies(method: string, path: string, scope?: string): HostileCase[] {
  return bodiesAt({ method, path, ...(scope !== undefined && { scope }) });
}

/** The same for what else may open a route. */
export function bodiesAt(route: Route): HostileCase[] {
  return Object.entries(BODIES).map(([name, body]) => ({ ...route, name, headers: json, body }));
}

/** A JSON body whose member `name` is each of the hostile values, in an otherwise good request. */
export function hostileValues(
  route: Route,
  good: Readonly<Record<string, unknown>>,
  name: string,
): HostileCase[] {
  const values: Readonly<Record<string, () => unknown>> = {
    'a text of 0.9 MB': () => 'a'.repeat(0.9 * MB),
    'a text of 0.3 million syllables': () => '한'.repeat(0.3 * MB),
    'a million digits and a letter': () => `${'0'.repeat(0.9 * MB)}x`,
    'NUL and lone surrogates': () => '\u0000\ud800\udfff\uffff',
    'right-to-left and combining marks': () => `\u202e${'e\u0301\u0302\u0303'.repeat(50_000)}`,
    'a list of 100,000': () => Array.from({ length: 100_000 }, () => 1),
    'an object with the member toString': () => ({ toString: 1, valueOf: 1 }),
    'a negative zero': () => -0,
    'the greatest number': () => Number.MAX_VALUE,
  };
  return Object.entries(values).map(([what, value]) => ({
    method: 'POST',
    ...route,
    name: `${name}: ${what}`,
    headers: json,
    body: () => JSON.stringify({ ...good, [name]: value() }),
  }));
}
