/** The server's OpenAPI document, for forms and examples. */
import type { ApiRequest } from './call.js';
import { useRead } from './queries.js';
import type { ObjectSchema, Schema } from './schema.js';

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly required?: boolean }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: ObjectSchema }>> };
  /** Any one of these suffices: scopes by name of a scheme. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

export interface OpenApi {
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const DOCUMENT = { path: '/-/openapi.json' };

/** Undefined until it is read, and for people who may not read it. */
export function useOpenApi(): OpenApi | undefined {
  return useRead<OpenApi>(DOCUMENT).data;
}

/** The schema of a route's body, with its references and those of its members resolved. */
export function bodySchema(openApi: OpenApi, method: string, path: string): ObjectSchema | undefined {
  const body = openApi.paths[path]?.[method.toLowerCase()]?.requestBody;
  const schema = body?.content?.['application/json']?.schema;
  if (schema === undefined) return undefined;
  const whole = resolve<ObjectSchema>(openApi, schema);
  const members = Object.entries(whole.properties ?? {});
  return {
    ...whole,
    properties: Object.fromEntries(members.map(([name, member]) => [name, resolve<Schema>(openApi, member)])),
  };
}

const COMPONENTS = '#/components/schemas/';

/** A reference points to a named schema, never to another reference. */
function resolve<T>({ components }: OpenApi, schema: T): T {
  const reference = (schema as { $ref?: string }).$ref;
  if (reference === undefined) return schema;
  const named = components?.schemas?.[reference.slice(COMPONENTS.length)];
  if (named === undefined) throw new Error(`the OpenAPI document has no ${reference}`);
  return named as T;
}

/** A GET that needs only an API key with one of these scopes; undefined if there is none. */
export function exampleRequest({ paths }: OpenApi, scopes: readonly string[]): ApiRequest | undefined {
  for (const scope of scopes) {
    const path = Object.keys(paths).find((one) => fits(one, paths[one]?.['get'], scope));
    if (path !== undefined) return { path };
  }
  return undefined;
}

function fits(path: string, operation: Operation | undefined, scope: string): boolean {
  if (operation === undefined || path.includes('{')) return false;
  if (operation.parameters?.some(({ required }) => required === true) === true) return false;
  const opened = operation.security?.flatMap(({ apiKey = [] }) => apiKey) ?? [];
  return scope === '*' ? opened.length > 0 : opened.includes(scope);
}
