/**
 * The schemas of an OpenAPI document. One with a title is a component of that name, `Preset`; in a request it is a
 * second one, `PresetInput`, as a member with a default need not be sent but is always answered.
 */
import {
  mapSchema,
  modernSchema,
  withoutNeedlessRequired,
  type JsonSchema,
} from '../../config/json-schema.js';

export class OpenApiComponents {
  readonly #names = new Map<string, string>();
  readonly #schemas: Record<string, JsonSchema> = {};

  /** By name. */
  get schemas(): Readonly<Record<string, JsonSchema>> {
    return this.#schemas;
  }

  /** Of an answer, or of a part of one. */
  answer(schema: object): JsonSchema {
    return mapSchema(asMaps(modernSchema(schema)), (part) => this.#component(part, ''));
  }

  /** Of a body. Generators require a member with a `default` wherever they reach it by a `$ref`. */
  request(schema: object): JsonSchema {
    const needed = withoutNeedlessRequired(asMaps(modernSchema(schema)));
    return mapSchema(mapSchema(needed, asOpen), (part) =>
      part.title === undefined ? part : this.#component(mapSchema(part, defaultInWords), 'Input'),
    );
  }

  #component({ title, ...schema }: JsonSchema, ending: string): JsonSchema {
    if (title === undefined) return schema;
    const wanted = `${title.replaceAll(/[^A-Za-z0-9._-]/g, '_')}${ending}`;
    const text = `${wanted} ${JSON.stringify(schema)}`;
    let name = this.#names.get(text);
    if (name === undefined) {
      name = wanted;
      for (let count = 2; Object.hasOwn(this.#schemas, name); count += 1) name = `${wanted}${count}`;
      this.#names.set(text, name);
      this.#schemas[name] = schema;
    }
    return { $ref: `#/components/schemas/${name}` };
  }
}

function defaultInWords({ default: value, ...schema }: JsonSchema): JsonSchema {
  if (value === undefined) return schema;
  const { description } = schema;
  const words = `Default: ${JSON.stringify(value)}`;
  return { ...schema, description: description === undefined ? words : `${description} (${words})` };
}

/** openapi-typescript allows undeclared members, such as `temperature` of a chat, only if the schema says so. */
function asOpen(part: JsonSchema): JsonSchema {
  return part['type'] === 'object' && part['additionalProperties'] === undefined
    ? { ...part, additionalProperties: true }
    : part;
}

/** Client generators recognise a map only by `additionalProperties`. */
function asMaps(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, ({ patternProperties, ...part }) => {
    if (patternProperties === undefined) return part;
    const values = patternProperties['^.*$'];
    return values === undefined ? { ...part, patternProperties } : { ...part, additionalProperties: values };
  });
}
