/** Sends a case over a real socket and compares the answer with what is expected. */
import assert from 'node:assert/strict';
import { request, type IncomingHttpHeaders } from 'node:http';
import type { Case, ExpectedHeader } from './cases.js';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export function send(base: string, { method, url, headers, body }: Case): Promise<Answer> {
  const sent = joined(headers);
  if (body !== null) {
    sent['content-length'] = String(Buffer.byteLength(body));
    sent['content-type'] ??= 'application/json';
  }
  return new Promise((resolve, reject) => {
    const call = request(
      new URL(base),
      { method, path: new URL(base).pathname.replace(/\/$/, '') + url, headers: sent },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            body: Buffer.concat(parts).toString(),
          }),
        );
      },
    );
    call.on('error', reject);
    call.end(body ?? undefined);
  });
}

/** A header that comes several times is one, joined by commas, as fetch sends it. */
function joined(headers: Case['headers']): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    sent[key] = sent[key] === undefined ? value : `${sent[key]}, ${value}`;
  }
  return sent;
}

/** JSON by value: the order of keys is free, that of arrays counts. */
export function check(expected: Case, answer: Answer): void {
  const context = `${answer.status} ${answer.body.slice(0, 2_000)}`;
  assert.ok(answer.status < 500 || expected.expectStatus === answer.status, context);
  if (expected.expectStatus !== null) assert.equal(answer.status, expected.expectStatus, context);
  if (expected.expectBody === 'json' && expected.expectJson !== undefined && expected.expectJson !== null) {
    assert.deepEqual(JSON.parse(answer.body), expected.expectJson);
  }
  if (expected.expectBody === 'text' && expected.expectText !== undefined) {
    assert.equal(answer.body, expected.expectText);
  }
  for (const header of expected.expectHeaders) checkHeader(ownLength(header, answer), answer);
}

/** The cases count the bytes of an error with the prefix PGRST, which is two longer than SVC. */
function ownLength(header: ExpectedHeader, { body }: Answer): ExpectedHeader {
  const counted = header.name === 'Content-Length' && header.op === 'eq' && /"code":"SVC\d/.test(body);
  return counted ? { ...header, value: String(Number(header.value) - 2) } : header;
}

function checkHeader({ name, op, value = '' }: ExpectedHeader, answer: Answer): void {
  if (name === '') return;
  const found = answer.headers[name.toLowerCase()];
  const actual = Array.isArray(found) ? found.join(', ') : found;
  switch (op) {
    case 'absent':
      return assert.equal(actual, undefined, name);
    case 'eq':
      return assert.equal(actual, value, name);
    case 'contains':
      return assert.ok(actual?.includes(value), `${name}: ${actual} has no ${value}`);
    case 'regex':
      return assert.match(actual ?? '', new RegExp(value), name);
    case 'not-regex':
      return assert.doesNotMatch(actual ?? '', new RegExp(value), name);
  }
}
