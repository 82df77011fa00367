/** One operation of the OpenAPI document: its parameters, bodies and answers. */
import { modernSchema } from '../../config/json-schema.js';
import type { Guard } from '../../sdk/services/auth.js';
import type { OpenApiComponents } from './components.js';

type Json = Readonly<Record<string, unknown>>;
interface ObjectSchema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Json>>;
}
interface Schemas {
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly querystring?: ObjectSchema;
  readonly params?: ObjectSchema;
  readonly headers?: ObjectSchema;
  readonly body?: Json;
  readonly form?: Json;
  readonly response?: Readonly<Record<string, Json>>;
}

export interface Described {
  readonly tag: string;
  /** As the document has it: `/notes/{id}`. */
  readonly path: string;
  readonly guards: readonly Guard[];
  /** The dialect's schema of errors. */
  readonly failure: object | undefined;
}

export function describeOperation(
  schema: object,
  { tag, path, guards, failure }: Described,
  components: OpenApiComponents,
): object {
  const { summary, description, deprecated, querystring, headers, body, form, response, ...schemas } =
    schema as Schemas;
  const params = schemas.params ?? { properties: Object.fromEntries(namesIn(path)) };
  const parameters = [
    ...parametersOf('query', querystring),
    ...parametersOf('path', params),
    ...parametersOf('header', headers),
  ];
  const responses = { ...response, ...(failure && { default: { description: 'An error', ...failure } }) };
  return {
    summary,
    description,
    deprecated,
    tags: [tag],
    security: guards.flatMap(({ security }) => security),
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: (body ?? form) && {
      required: true,
      content: {
        ...(body && asJson(components.request(body))),
        ...(form && asForm(components.request(form))),
      },
    },
    responses: Object.fromEntries(
      Object.entries<Json>(responses).map(([status, one]) => [
        status === 'default' ? status : status.toUpperCase(),
        responseOf(one, components),
      ]),
    ),
  };
}

/** The parameter name of a wildcard. */
export const REST = 'rest';

function* namesIn(path: string): Generator<[string, Json]> {
  for (const [, name = ''] of path.matchAll(/\{([^{}]*)\}/g)) yield [name, { type: 'string' }];
}

/** A parameter with a default is always set for the route, but optional for the caller. */
function parametersOf(
  place: 'query' | 'path' | 'header',
  { properties = {}, required = [] }: ObjectSchema = {},
): Json[] {
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    in: place,
    name: name === '*' ? REST : name,
    description,
    required: place === 'path' || (required.includes(name) && schema['default'] === undefined),
    schema: modernSchema(schema),
  }));
}

/** A schema, or one for each content type under `content`, with `headers`. */
function responseOf({ headers, content, ...schema }: Json, components: OpenApiComponents): Json {
  const { type, description = 'Default Response' } = schema;
  const single = type === 'null' ? undefined : asJson(schema);
  return {
    description,
    headers:
      headers && eachMember(headers, ({ description: about, ...of }) => ({ description: about, schema: of })),
    content: eachMember(content ?? single, (one) => ({
      ...one,
      schema: components.answer(one['schema'] as Json),
    })),
  };
}

function asJson(schema: Json): Json {
  return { 'application/json': { schema } };
}

function asForm(schema: Json): Json {
  return { 'multipart/form-data': { schema } };
}

function eachMember(members: unknown, change: (member: Json) => Json): Json | undefined {
  if (members === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(members as Record<string, Json>).map(([name, member]) => [name, change(member)]),
  );
}
