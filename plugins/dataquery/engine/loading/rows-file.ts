/** Files of rows in JSON: an object of relations, or the rows of one relation. */
import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { Catalog, Relation } from '../catalog/model.js';
import { suggestion } from '../catalog/suggestion.js';
import type { Row } from '../write/rows.js';
import { parseJson } from '../values/json-text.js';

export interface RelationRows {
  readonly relation: Relation;
  readonly rows: readonly Row[];
}

/** An invalid file of rows. */
export class RowsFileError extends Error {
  override readonly name = 'RowsFileError';
}

export function notUtf8(file: string): RowsFileError {
  return new RowsFileError(`${file} is not UTF-8: save it with that encoding`);
}

/**
 * `relation` names the relation of an array; by default the file's name does (`films.json`). Relations come after those
 * that they refer to. Throws a RowsFileError.
 */
export async function readRowsFile(
  catalog: Catalog,
  file: string,
  relation?: string,
): Promise<{ readonly parts: readonly RelationRows[]; readonly text: string }> {
  const bytes = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    throw new RowsFileError(`${file} cannot be read: ${cause.code ?? cause.message}`, { cause });
  });
  if (!isUtf8(bytes)) throw notUtf8(file);
  const text = bytes.toString();
  const content = parse(file, text);
  const named = Array.isArray(content)
    ? { [relation ?? basename(file, extname(file))]: content as unknown[] }
    : (content as Record<string, unknown>);
  const found = Object.entries(named).flatMap(([name, rows]): RelationRows[] => {
    if (rows === null) return [];
    if (!Array.isArray(rows)) throw new RowsFileError(`${file}: "${name}" must be a list of rows`);
    return [
      {
        relation: relationNamed(catalog, name, file),
        rows: rows.map((row, at) => asRow(row, file, `row ${at + 1} of "${name}"`)),
      },
    ];
  });
  return { parts: parentsFirst(found), text };
}

function parse(file: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new RowsFileError(`${file}: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

/** `public.films`, or `films` in the first exposed schema. */
export function relationNamed(catalog: Catalog, name: string, file: string): Relation {
  const names = [...catalog.schemas.values()].flatMap(({ name: schema, relations }) =>
    [...relations.values()].map((relation) => ({ full: `${schema}.${relation.name}`, relation })),
  );
  const fallback = `${catalog.exposed[0] ?? ''}.${name}`;
  const found = names.find(({ full }) => full === name) ?? names.find(({ full }) => full === fallback);
  if (found === undefined) {
    const near = suggestion(
      name,
      names.map(({ full }) => full),
    );
    throw new RowsFileError(`${file}: no relation "${name}"${near}`);
  }
  if (found.relation.collection === undefined) {
    throw new RowsFileError(`${file}: "${name}" is a view of other rows and keeps none itself`);
  }
  return found.relation;
}

export function asRow(row: unknown, file: string, place: string): Row {
  if (typeof row === 'object' && row !== null && !Array.isArray(row)) return row as Row;
  throw new RowsFileError(`${file}: ${place} must be an object`);
}

function parentsFirst(found: readonly RelationRows[]): RelationRows[] {
  const ordered = new Set<RelationRows>();
  const open = new Set<RelationRows>();
  const visit = (one: RelationRows): void => {
    if (ordered.has(one) || open.has(one)) return;
    open.add(one);
    for (const { references } of one.relation.foreignKeys) {
      const parent = found.find(
        ({ relation }) => relation.schema === references.schema && relation.name === references.relation,
      );
      if (parent !== undefined) visit(parent);
    }
    ordered.add(one);
  };
  for (const one of found) visit(one);
  return [...ordered];
}
