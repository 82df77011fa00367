/** Calls of pages, held to the OpenAPI document of the server that they call. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { TestServer } from 'plugboard/testing';

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The shell's own, what monitoring reads, and dataquery's own description: those are described in words. */
const UNDOCUMENTED =
  /^\/console\b|^\/-\/(openapi\.json|ready|live|metrics|config)$|^\/$|^\/keys$|^\/data\/$|^\/favicon\.ico$/;

/** The calls that the page makes from now on, as `GET /api/keys?search&limit`. */
export function callsOf(page: Page): ReadonlySet<string> {
  const calls = new Set<string>();
  page.on('request', (request) => {
    const { protocol, pathname, searchParams } = new URL(request.url());
    if (!protocol.startsWith('http') || UNDOCUMENTED.test(pathname)) return;
    calls.add(`${request.method()} ${pathname}?${[...new Set(searchParams.keys())].join('&')}`);
  });
  return calls;
}

/** Fails with the calls that are no operation of the document, or have a parameter that theirs does not name. */
export async function assertDocumented(server: TestServer, calls: ReadonlySet<string>): Promise<void> {
  const headers = { authorization: `Bearer ${await server.key('*')}` };
  const document = (await server.inject({ url: '/-/openapi.json', headers })).json<OpenApi>();
  assert.ok(calls.size > 0, 'no call was seen');
  assert.deepEqual(
    [...calls].filter((call) => !isDocumented(call, document)),
    [],
  );
}

function isDocumented(call: string, { paths }: OpenApi): boolean {
  const [, method = '', path = '', query = ''] = /^(\w+) ([^?]*)\?(.*)$/.exec(call) ?? [];
  const names = query === '' ? [] : query.split('&');
  return Object.entries(paths).some(([template, methods]) => {
    // HEAD is answered as GET is, without the body.
    const operation = methods[method === 'HEAD' ? 'get' : method.toLowerCase()];
    return operation !== undefined && fits(template, path) && names.every((name) => takes(operation, name));
  });
}

function fits(template: string, path: string): boolean {
  const [parts, given] = [template.split('/'), path.split('/')];
  return (
    parts.length === given.length && parts.every((part, at) => part.startsWith('{') || part === given[at])
  );
}

/** The server takes each item of an array as `name`, `name[]` or `name[0]`. */
function takes({ parameters = [] }: Operation, asked: string): boolean {
  const name = asked.replace(/\[\d*\]$/, '');
  return parameters.some((one) => one.in === 'query' && one.name === name);
}
