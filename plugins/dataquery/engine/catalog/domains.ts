/** Domains as the file declares them: `color: { over: integer, module: ./formats.js }`. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { domainType, type Representation } from '../values/domain.js';
import type { ValueType } from '../values/type.js';
import { knownType } from '../values/types.js';
import type { Reading } from './reading.js';
import type { Place } from './source.js';
import { suggestion } from './suggestion.js';

export interface Domain {
  readonly type: ValueType;
  /** Imports its module. A missing module or export is a problem of the file. */
  load(): Promise<void>;
}

/** By name. Relative module paths are resolved against `directory`. */
export function readDomains(
  reading: Reading,
  place: Place | undefined,
  directory: string,
): Map<string, Domain> {
  const domains = new Map<string, Domain>();
  for (const [name, inner] of reading.members(place)) {
    const domain = readDomain(reading, name, inner, directory);
    if (domain !== undefined) domains.set(name, domain);
  }
  return domains;
}

function readDomain(reading: Reading, name: string, place: Place, directory: string): Domain | undefined {
  const members = reading.members(place, ['over', 'module', 'export', 'comment']);
  for (const key of ['over', 'module']) {
    if (!members.has(key)) reading.source.error(place, `the key "${key}" is missing`);
  }
  const [overPlace, modulePlace] = [members.get('over'), members.get('module')];
  const [overName, module] = [reading.text(overPlace), reading.text(modulePlace)];
  if (overPlace === undefined || overName === undefined) return undefined;
  if (modulePlace === undefined || module === undefined) return undefined;
  const over = knownType(overName);
  if (over === undefined) {
    reading.source.error(overPlace, `"${overName}" is not a PostgreSQL type`);
    return undefined;
  }
  const exportName = reading.text(members.get('export')) ?? name;
  const file = resolve(directory, module);
  let representation: Representation = {};
  return {
    type: domainType(name, over, () => representation),
    load: async () => {
      try {
        representation = await importRepresentation(file, exportName);
      } catch (error) {
        reading.source.error(modulePlace, error instanceof Error ? error.message : String(error));
      }
    },
  };
}

const FUNCTIONS = ['toJson', 'fromJson', 'fromText'] as const;

async function importRepresentation(file: string, exportName: string): Promise<Representation> {
  const module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  const found = module[exportName];
  if (typeof found !== 'object' || found === null) {
    throw new TypeError(
      `the module exports no object "${exportName}"${suggestion(exportName, Object.keys(module))}`,
    );
  }
  const members = Object.entries(found);
  if (!members.some(([key, value]) => FUNCTIONS.includes(key as 'toJson') && typeof value === 'function')) {
    throw new TypeError(`"${exportName}" has none of the functions ${FUNCTIONS.join(', ')}`);
  }
  return found;
}
