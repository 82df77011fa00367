/** Reads the catalog file: all problems are reported together, each with its line and column. */
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crossCheck, type CheckRule } from './cross-check.js';
import { readDomains, type Domain } from './domains.js';
import { readFunctions } from './functions.js';
import type { Catalog, CatalogFunction, Relation } from './model.js';
import { Reading } from './reading.js';
import { readRelations, type RelationDraft } from './relations.js';
import { resolveViews } from './views.js';
import { SourceFile, type Place } from './source.js';
import { suggestion } from './suggestion.js';
import { UTC } from '../values/time-zone.js';

export interface CatalogFile {
  readonly catalog: Catalog;
  /** Rendered warnings, e.g. of unknown types; empty when there are none. */
  readonly warnings: string;
  /** Imports the modules of its domains, whose values cannot be read before. Throws a CatalogError. */
  loadDomains(): Promise<void>;
}

/** The catalog has problems; the message shows them all. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError';
  /** A mistake in a file: exits with code 2. */
  readonly userError = true;
}

/** `file` is absolute; `shown` is what the problems call it. Throws a CatalogError. */
export async function readCatalogFile(file: string, shown: string): Promise<CatalogFile> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new CatalogError(
      `the catalog ${shown} cannot be read: ${(cause as NodeJS.ErrnoException).code ?? ''}`,
      {
        cause,
      },
    );
  }
  const read = readCatalog(text, shown, dirname(file));
  await read.loadDomains();
  return read;
}

/** Relative module paths are resolved against `directory`. */
export function readCatalog(
  text: string,
  shown: string,
  directory: string,
  checkRule?: CheckRule,
): CatalogFile {
  const source = new SourceFile(shown, text);
  const built = source.failed ? undefined : build(new Reading(source), directory, checkRule);
  refuseProblems(source);
  if (built === undefined) throw new TypeError('a catalog without problems was not built');
  return {
    catalog: built.catalog,
    warnings: source.render('warning'),
    loadDomains: async () => {
      await Promise.all(built.domains.map((domain) => domain.load()));
      refuseProblems(source);
    },
  };
}

function refuseProblems(source: SourceFile): void {
  if (source.failed) throw new CatalogError(`the catalog has problems\n${source.render()}`);
}

function build(
  reading: Reading,
  directory: string,
  checkRule: CheckRule | undefined,
): { catalog: Catalog; domains: Domain[] } {
  const { source } = reading;
  const top = reading.members(source.root, ['exposed', 'searchPath', 'schemas']);
  const schemaPlaces = reading.members(required(reading, top, 'schemas'));
  const drafts = new Map<string, Map<string, RelationDraft>>();
  const parts = new Map<string, Map<string, Place>>();
  const domains: Domain[] = [];
  for (const [name, place] of schemaPlaces) {
    const members = reading.members(place, ['comment', 'domains', 'relations', 'functions']);
    parts.set(name, members);
    const own = readDomains(reading, members.get('domains'), directory);
    domains.push(...own.values());
    drafts.set(name, readRelations(reading, name, members.get('relations'), own));
  }
  const relations = resolveViews(reading, drafts);
  const schemas = new Map(
    [...parts.keys()].map((name) => [
      name,
      {
        name,
        relations: relations.get(name) ?? new Map<string, Relation>(),
        functions: new Map<string, readonly CatalogFunction[]>(),
      },
    ]),
  );
  const catalog: Catalog = {
    exposed: schemaNames(reading, top.get('exposed'), schemaPlaces) ?? [...schemaPlaces.keys()].slice(0, 1),
    searchPath: schemaNames(reading, top.get('searchPath'), schemaPlaces) ?? [],
    schemas,
    timeZone: UTC,
  };
  for (const [name, members] of parts) {
    const functions = readFunctions(reading, name, members.get('functions'), catalog, directory);
    for (const [functionName, overloads] of functions)
      schemas.get(name)?.functions.set(functionName, overloads);
  }
  crossCheck(reading, catalog, drafts, checkRule);
  if (catalog.exposed.length === 0 && !source.failed) source.error(source.root, 'no schema is exposed');
  return { catalog, domains };
}

function required(reading: Reading, members: Map<string, Place>, key: string): Place | undefined {
  const place = members.get(key);
  if (place === undefined && reading.source.root.entries !== undefined) {
    reading.source.error(reading.source.root, `the key "${key}" is missing`);
  }
  return place;
}

function schemaNames(
  reading: Reading,
  place: Place | undefined,
  schemas: ReadonlyMap<string, Place>,
): string[] | undefined {
  if (place === undefined) return undefined;
  return reading.list(place).flatMap((item) => {
    const name = reading.text(item);
    if (name === undefined) return [];
    if (schemas.has(name)) return [name];
    reading.source.error(item, `no schema "${name}"${suggestion(name, schemas.keys())}`);
    return [];
  });
}
