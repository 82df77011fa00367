/**
 * A stand-in for a Qdrant server, which cannot be run here: it speaks the part of the REST wire that memory uses,
 * over a real socket. Vectors are compared by cosine, filters are evaluated.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Point {
  readonly id: string;
  readonly vector: number[];
  readonly payload: Record<string, unknown>;
}

interface Condition {
  readonly key?: string;
  readonly match?: { value: unknown };
  readonly range?: { gt?: number };
  readonly is_null?: { key: string };
  readonly is_empty?: { key: string };
  readonly has_id?: string[];
  readonly must?: Condition[];
  readonly should?: Condition[];
}

interface StoredCollection {
  readonly size: number;
  readonly settings: Record<string, unknown>;
  readonly points: Map<string, Point>;
}

/** What the server does instead of answering. */
export type Fault = 'hang' | 'error' | 'redirect' | 'garbage' | 'endless' | { readonly result: unknown };

export interface QdrantStandIn {
  readonly port: number;
  readonly collections: Map<string, StoredCollection>;
  /** Method and path of every request, in order. */
  readonly requests: string[];
  fault: Fault | undefined;
  close(): Promise<void>;
}

export async function startQdrant({ apiKey }: { apiKey?: string } = {}): Promise<QdrantStandIn> {
  const collections = new Map<string, StoredCollection>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  const standIn = { collections, requests, fault: undefined as Fault | undefined };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent((request.url ?? '').replace(/\?.*$/, ''));
    requests.push(`${request.method} ${path}`);
    const body = request.method === 'GET' ? {} : ((await json(request)) as Record<string, unknown>);
    if (typeof standIn.fault === 'object') return send(response, 200, standIn.fault);
    switch (standIn.fault) {
      case 'hang':
        return;
      case 'error':
        return send(response, 500, { status: { error: 'disk /var/lib/secret is full' } });
      case 'redirect':
        response.writeHead(307, { location: 'http://169.254.169.254/' }).end();
        return;
      case 'garbage':
        response.writeHead(200, { 'content-type': 'application/json' }).end('<html>');
        return;
      case 'endless':
        response.writeHead(200, { 'content-type': 'application/json' });
        for (;;) {
          if (response.destroyed) return;
          if (!response.write(' '.repeat(1_000_000))) await once(response, 'drain').catch(() => undefined);
        }
      case undefined:
    }
    if (apiKey !== undefined && request.headers['api-key'] !== apiKey) {
      return send(response, 401, { status: { error: 'Invalid api-key' } });
    }
    const [, , name = '', ...rest] = path.split('/');
    send(response, ...route(collections, `${request.method} ${rest.join('/')}`, name, body));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(standIn, {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

function send(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ time: 0, ...body }));
}

function route(
  collections: Map<string, StoredCollection>,
  call: string,
  name: string,
  body: Record<string, unknown>,
): [status: number, body: object] {
  const found = collections.get(name);
  const ok = (result: unknown): [number, object] => [200, { status: 'ok', result }];
  if (call === 'GET exists') return ok({ exists: found !== undefined });
  if (call === 'PUT ') {
    const { vectors, ...settings } = body as { vectors: { size: number } };
    collections.set(name, { size: vectors.size, settings, points: new Map() });
    return ok(true);
  }
  if (found === undefined)
    return [404, { status: { error: `Not found: Collection \`${name}\` doesn't exist!` } }];
  switch (call) {
    case 'GET ':
      return ok({ config: { params: { vectors: { size: found.size, distance: 'Cosine' } } } });
    case 'PUT index':
      return ok({ operation_id: 1, status: 'completed' });
    case 'PUT points': {
      const points = body['points'] as Point[];
      if (points.some(({ vector }) => vector.length !== found.size)) {
        return [400, { status: { error: 'Wrong input: Vector dimension error' } }];
      }
      for (const point of points) found.points.set(point.id, point);
      return ok({ operation_id: 1, status: 'completed' });
    }
    case 'POST points/delete':
      for (const id of body['points'] as string[]) found.points.delete(id);
      return ok({ operation_id: 1, status: 'completed' });
    case 'POST points/search':
      return ok(search(found, body));
    default:
      return [404, { status: { error: `no such path: ${call}` } }];
  }
}

function search({ points }: StoredCollection, body: Record<string, unknown>) {
  const vector = body['vector'] as number[];
  return [...points.values()]
    .filter(({ id, payload }) => holds((body['filter'] ?? {}) as Condition, payload, id))
    .map(({ id, payload, vector: own }) => ({ id, version: 1, score: cosine(vector, own), payload }))
    .sort((a, b) => b.score - a.score)
    .slice(0, body['limit'] as number);
}

function holds(condition: Condition, payload: Record<string, unknown>, id: string): boolean {
  const { key = '', match, range, is_null: nothing, is_empty: empty, has_id: ids, must, should } = condition;
  if (must !== undefined && !must.every((one) => holds(one, payload, id))) return false;
  if (should !== undefined && !should.some((one) => holds(one, payload, id))) return false;
  if (ids !== undefined) return ids.includes(id);
  if (empty !== undefined) return payload[empty.key] === null || payload[empty.key] === undefined;
  if (match !== undefined) return payload[key] === match.value;
  if (nothing !== undefined) return payload[nothing.key] === null;
  if (range?.gt !== undefined) return typeof payload[key] === 'number' && payload[key] > range.gt;
  return true;
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
  const lengths = Math.sqrt(dot(a, a) * dot(b, b));
  return lengths === 0 ? 0 : dot(a, b) / lengths;
}
