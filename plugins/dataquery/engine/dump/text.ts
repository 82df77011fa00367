/** The catalog as a readable file: a line for each column, key and policy. */
import { Document, isMap, isScalar, isSeq, visit, YAMLMap, type Pair } from 'yaml';
import type { Draft, RelationDraft } from './model.js';

/** Mappings span lines down to this depth: schemas > name > relations > name > part > name. */
const LINES = 6;

export function catalogText(draft: Draft, exposed: readonly string[]): string {
  const schemas = Object.fromEntries(
    exposed.map((schema) => {
      const own = [...draft.relations.values()].filter(({ name }) => name.schema === schema);
      return [
        schema,
        { relations: Object.fromEntries(own.map((one) => [one.name.name, relation(draft, one)])) },
      ];
    }),
  );
  const document = new Document({ exposed, schemas }, { aliasDuplicateObjects: false });
  visit(document, {
    Collection(_, node, path) {
      const depth = path.filter((parent) => isMap(parent)).length;
      const isEmpty = node.items.length === 0;
      if (isEmpty || depth >= LINES || (isSeq(node) && depth > 0) || isKeyList(node, path.at(-1)))
        node.flow = true;
    },
  });
  const text = document.toString({ lineWidth: 0, singleQuote: true });
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** `primaryKey`, `indexes` and `from` take one line. */
function isKeyList(node: unknown, parent: unknown): boolean {
  const key = (parent as Pair | undefined)?.key;
  if (!isScalar(key)) return false;
  return isSeq(node) || (node instanceof YAMLMap && (key.value === 'from' || key.value === 'where'));
}

function relation(draft: Draft, one: RelationDraft): object {
  const { name, kind, columns, from, where, comment, primaryKey, unique, indexes } = one;
  const guarded = draft.hasGrants || [...draft.relations.values()].some(({ policies }) => policies.size > 0);
  const isOwn = from?.schema === name.schema;
  return {
    ...(kind === 'view' && { kind }),
    ...(comment !== undefined && { comment }),
    ...(from !== undefined && { from: isOwn ? from.name : { schema: from.schema, relation: from.name } }),
    columns: object(columns, (column) => {
      if (column.base !== undefined)
        return { base: column.base, ...(column.comment !== undefined && { comment: column.comment }) };
      return Object.keys(column).length === 1 ? column.type : column;
    }),
    ...(where !== undefined && { where }),
    ...(primaryKey.length > 0 && { primaryKey }),
    ...(unique.size > 0 && { unique: object(unique) }),
    ...(indexes.length > 0 && { indexes }),
    ...(one.checks.size > 0 && { checks: object(one.checks) }),
    ...(one.foreignKeys.size > 0 && {
      foreignKeys: object(one.foreignKeys, ({ draft: key }) => foreignKey(key, name.schema)),
    }),
    ...(draft.hasGrants && { grants: object(one.grants) }),
    ...(one.policies.size > 0 && { policies: object(one.policies) }),
    // PostgreSQL reads the base of a view with the rights of the view's owner.
    ...(kind === 'view' && guarded && one.isInvoker !== true && { definer: true }),
  };
}

function foreignKey({ references, ...rest }: { references: { schema: string } }, own: string): object {
  const { schema, ...target } = references;
  return { ...rest, references: schema === own ? target : references };
}

function object<T>(map: ReadonlyMap<string, T>, as: (value: T) => unknown = (value) => value): object {
  return Object.fromEntries([...map].map(([name, value]) => [name, as(value)]));
}
