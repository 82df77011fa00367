/** The operations of the OpenAPI document, and what it says of who may call them. */
import type { TestServer } from 'plugboard/testing';

export interface Operation {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  readonly path: string;
  /** For each way in by an API key or by a person's token, the scopes of which one is needed. */
  readonly byKey: readonly (readonly string[])[];
  readonly bySession: boolean;
  /** Also opens without a credential. */
  readonly optional: boolean;
  readonly guarded: boolean;
}

type Security = readonly Readonly<Record<string, readonly string[]>>[];

/** What a path that ends with `{rest}` may name, and the scope for it. */
const ACTIONS = { 'm:generateContent': 'chat', 'm:embedContent': 'embeddings' };

function byAction(operation: Operation): Operation[] {
  const { name, method, path } = operation;
  if (method !== 'POST' || !/^\/(?:v1\/models|v1beta)\/\{rest\}$/.test(path)) return [operation];
  const models = path.includes('/models/') ? '' : 'models/';
  return Object.entries(ACTIONS).map(([action, scope]) => ({
    ...operation,
    name: `${name} ${action}`,
    path: path.replace('{rest}', models + action),
    byKey: [[scope]],
  }));
}

/** In the order of the document, but for the logout: it ends the sessions that the others are asked with. */
export async function operationsOf(from: TestServer): Promise<Operation[]> {
  const { paths } = (await from.inject('/-/openapi.json')).json<{
    paths: Record<string, Record<string, { readonly security?: Security }>>;
  }>();
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security = [] }]): Operation => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase() as Operation['method'],
      path,
      byKey: security.flatMap(({ apiKey }) => (apiKey === undefined ? [] : [apiKey])),
      bySession: security.some(({ session }) => session !== undefined),
      optional: security.some((each) => Object.keys(each).length === 0),
      guarded: security.length > 0,
    })),
  );
  const isLogout = ({ path }: Operation): boolean => path === '/api/auth/logout';
  return [...operations.filter((each) => !isLogout(each)), ...operations.filter(isLogout)].flatMap(byAction);
}
