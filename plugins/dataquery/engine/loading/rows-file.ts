/** Files of rows: a JSON object of relations, or the rows of one relation as JSON, NDJSON or CSV. */
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { Catalog, Relation } from '../catalog/model.js';
import { suggestion } from '../catalog/suggestion.js';
import { CsvError, CsvReader } from '../formats/csv.js';
import type { Row } from '../write/rows.js';
import { parseJson } from '../values/json-text.js';

export interface RelationRows {
  readonly relation: Relation;
  readonly rows: readonly Row[];
}

/** A file of rows is not what it should be. */
export class RowsFileError extends Error {
  override readonly name = 'RowsFileError';
}

/**
 * `relation` says whose rows an array, NDJSON or CSV holds; by default the file's name does (`films.csv`).
 * Relations come with those that they refer to before them. Throws a RowsFileError.
 */
export async function readRowsFile(
  catalog: Catalog,
  file: string,
  relation?: string,
): Promise<RelationRows[]> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new RowsFileError(`${file} cannot be read: ${cause.code ?? cause.message}`, { cause });
  });
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
        rows: rows.map((row, at) => asRow(row, name, at, file)),
      },
    ];
  });
  return parentsFirst(found);
}

function parse(file: string, text: string): unknown {
  try {
    switch (extname(file).toLowerCase()) {
      case '.csv':
        return csvRows(text);
      case '.ndjson':
      case '.jsonl':
        return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parseJson(line)]));
      default:
        return parseJson(text);
    }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof CsvError) {
      throw new RowsFileError(`${file}: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

function csvRows(text: string): Row[] {
  const reader = new CsvReader();
  const [header, ...records] = [...reader.read(text), ...reader.end()];
  const names = header?.cells.map((cell) => cell.text) ?? [];
  return records.map(({ cells, line }) => {
    if (cells.length !== names.length) throw new CsvError(`line ${line} has ${cells.length} fields`, line);
    return Object.fromEntries(
      cells.map((cell, at) => [names[at]!, cell.quoted || cell.text !== '' ? cell.text : null]),
    );
  });
}

/** `public.films`, or `films` in the first exposed schema. */
function relationNamed(catalog: Catalog, name: string, file: string): Relation {
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

function asRow(row: unknown, name: string, at: number, file: string): Row {
  if (typeof row === 'object' && row !== null && !Array.isArray(row)) return row as Row;
  throw new RowsFileError(`${file}: row ${at + 1} of "${name}" must be an object`);
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
