/** Storage and auth in memory, until the embedded store is there. */
import { Query } from 'mingo';
import {
  AUTH,
  ServiceError,
  STORAGE,
  type Auth,
  type Guard,
  type Principal,
  type Request,
  type Storage,
} from 'plugboard/sdk';
import { fake, type BootTestOptions } from 'plugboard/testing';

/** A key that the stand-in accepts, as it does every key that begins so. */
export const KEY = 'key-test';

export function standIns(): BootTestOptions {
  return { provide: [fake(STORAGE, storage()), fake(AUTH, auth())] };
}

function storage(): Storage {
  const all = new Map<string, Map<string, Record<string, unknown>>>();
  const collection = ({ name }: { name: string }) => {
    const docs = all.get(name) ?? new Map<string, Record<string, unknown>>();
    all.set(name, docs);
    const find = (filter: object, options: { sort?: Record<string, 1 | -1> } = {}) => {
      const query = new Query(filter as never);
      const found = [...docs.values()].filter((doc) => query.test(doc));
      for (const [path, order] of Object.entries(options.sort ?? {}).reverse()) {
        found.sort((a, b) => order * (Number(a[path]! > b[path]!) - Number(a[path]! < b[path]!)));
      }
      return {
        toArray: async () => structuredClone(found),
        async *[Symbol.asyncIterator]() {
          yield* found;
        },
      };
    };
    return {
      find,
      findOne: async (filter: object) => (await find(filter).toArray())[0] ?? null,
      countDocuments: async (filter: object) => (await find(filter).toArray()).length,
      insertOne: async (doc: { _id: string }) => void docs.set(doc._id, structuredClone(doc)),
      insertMany: async (many: { _id: string }[]) => {
        for (const doc of many) docs.set(doc._id, structuredClone(doc));
      },
      findOneAndUpdate: async (filter: object, update: { $set: object }) => {
        const [doc] = await find(filter).toArray();
        if (doc === undefined) return null;
        const next = { ...doc, ...structuredClone(update.$set) };
        docs.set(String(doc['_id']), next);
        return next;
      },
      deleteOne: async (filter: object) => {
        const [doc] = await find(filter).toArray();
        return doc !== undefined && docs.delete(String(doc['_id'])) ? 1 : 0;
      },
    };
  };
  return { collection, ping: async () => {}, directory: undefined } as unknown as Storage;
}

function auth(): Auth {
  const principals = new WeakMap<Request, Principal>();
  const guard = () => {
    const hook = (request: Request, _reply: unknown, done: (error?: Error) => void): void => {
      const key = /^Bearer (key-.+)$/.exec(request.headers.authorization ?? '')?.[1];
      if (key === undefined)
        return done(new ServiceError('invalid_api_key', { status: 401, message: 'no such key' }));
      principals.set(request, { kind: 'key', id: key, name: key, scopes: [] });
      done();
    };
    return Object.assign(hook, { credentials: ['bearer'], optional: false }) as unknown as Guard;
  };
  return { guard, principal: (request: Request) => principals.get(request) } as unknown as Auth;
}
