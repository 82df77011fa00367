/** What is measured: accounts over HTTP, and documents of the raw driver. Each answers ids that it can retrieve. */
import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { Client, type Dispatcher } from 'undici';

export type SideSpec =
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly path: string;
      readonly body: string;
      readonly type: string;
      readonly token: string;
    }
  | { readonly kind: 'raw'; readonly url: string; readonly database: string; readonly template: string };

export interface Side {
  create(at: number): Promise<string>;
  retrieve(at: number, id: string): Promise<void>;
  close(): Promise<void>;
}

/** `width`: calls at a time, each on a connection of its own, as `at` says. */
export function openSide(spec: SideSpec, width: number): Promise<Side> {
  return spec.kind === 'http' ? Promise.resolve(overHttp(spec, width)) : rawDriver(spec, width);
}

/** With a new idempotency key for each creation, as the official clients send it. */
function overHttp(
  { url, path, body, type, token }: Extract<SideSpec, { kind: 'http' }>,
  width: number,
): Side {
  const clients = Array.from({ length: width }, () => new Client(url));
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  const call = async (at: number, options: Dispatcher.DispatchOptions): Promise<string> => {
    const { status, text } = await send(clients[at] as Client, options);
    if (status !== 200) throw new Error(`${url} answered ${status}: ${text.slice(0, 300)}`);
    return text;
  };
  return {
    create: async (at) => {
      const keyed = { ...headers, 'idempotency-key': randomBytes(12).toString('hex') };
      const text = await call(at, { path, method: 'POST', headers: keyed, body });
      return (JSON.parse(text) as { id: string }).id;
    },
    retrieve: async (at, id) => {
      await call(at, { path: `${path}/${id}`, method: 'GET', headers });
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}

/** Without undici's streams: the caller's own work is part of the measurement. */
function send(
  client: Client,
  options: Dispatcher.DispatchOptions,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let text = '';
    client.dispatch(options, {
      onRequestStart: () => {},
      onResponseStart: (_controller, code) => void (status = code),
      onResponseData: (_controller, chunk) => void (text += chunk.toString('latin1')),
      onResponseEnd: () => resolve({ status, text }),
      onResponseError: (_controller, error) => reject(error),
    });
  });
}

/** `template` is an account as Plugboard stores it, acknowledged as it is there; no index but that of the id. */
async function rawDriver(
  { url, database, template }: Extract<SideSpec, { kind: 'raw' }>,
  width: number,
): Promise<Side> {
  const client = await new MongoClient(url, { maxPoolSize: Math.max(100, width) }).connect();
  const collection = client
    .db(database)
    .collection<{ _id: string; createdAt: Date }>('raw', { writeConcern: { w: 'majority', journal: true } });
  const { _id: _, createdAt: __, ...document } = JSON.parse(template) as Record<string, unknown>;
  return {
    create: async () => {
      const _id = randomBytes(18).toString('base64url');
      await collection.insertOne({ _id, createdAt: new Date(), ...document });
      return _id;
    },
    retrieve: async (_at, id) => {
      if ((await collection.findOne({ _id: id })) === null) throw new Error('the raw driver found nothing');
    },
    close: () => client.close(),
  };
}
