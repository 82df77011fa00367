/** What is wrong with an OpenAPI document for a person who reads it and for a generator of clients. */
import { Ajv2020 } from 'ajv/dist/2020.js';

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
}
interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses?: Readonly<Record<string, unknown>>;
}
export interface OpenApiDocument {
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

export function operationsOf({ paths }: OpenApiDocument): [where: string, operation: Operation][] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]): [string, Operation] => [`${method} ${path}`, one]),
  );
}

/** One line for each fault, with the operation that has it. */
export function openApiFaults(document: OpenApiDocument): string[] {
  const described = new Set((document.tags ?? []).flatMap((tag) => (tag.description ? [tag.name] : [])));
  const named = new Map<string, string>();
  const { components } = document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema({
    $id: 'document',
    components,
  });
  const faults = (document.servers ?? []).length > 0 ? [] : ['the document names no server'];
  for (const [where, operation] of operationsOf(document)) {
    const { operationId = '', summary = '', tags = [], responses = {}, requestBody } = operation;
    const fault = (text: string): unknown => faults.push(`${where}: ${text}`);
    if (/\{\W/.test(where)) fault('a parameter of its path has no name');
    if (!/^[a-z][A-Za-z0-9]*$/.test(operationId)) fault('its operationId is no name of a function');
    const other = named.get(operationId);
    if (other !== undefined) fault(`its operationId is that of ${other}`);
    named.set(operationId, where);
    if (!/^[A-Z][^\n]{3,118}[^.\s]$/.test(summary)) fault('it has no summary of one short sentence');
    if (tags.length === 0 || !tags.every((tag) => described.has(tag)))
      fault('it has no tag with a description');
    if (requestBody !== undefined) {
      const [{ schema } = { schema: {} }] = Object.values(requestBody.content);
      const [example] = examplesOf(schema, document);
      const check = ajv.compile(inDocument(schema));
      if (example === undefined) fault('its body has no example');
      else if (!check(example)) fault(`the example of its body is refused: ${ajv.errorsText(check.errors)}`);
    }
    if (!('default' in responses)) fault('it does not say what its errors look like');
  }
  return faults;
}

function examplesOf(
  { $ref, anyOf = [], examples = [] }: Schema,
  document: OpenApiDocument,
): readonly unknown[] {
  const named = document.components?.schemas?.[$ref?.split('/').at(-1) ?? ''];
  return [
    ...examples,
    ...[...anyOf, ...(named === undefined ? [] : [named])].flatMap((one) => examplesOf(one, document)),
  ];
}

/** With references that lead into the document. */
function inDocument(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#')) as Schema;
}
