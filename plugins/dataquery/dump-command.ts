/** `plugboard catalog from dump.sql`: a catalog file from a PostgreSQL schema. */
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { UserError, type Command } from 'plugboard/sdk';
import { CatalogError, readCatalog } from './engine/catalog/read.js';
import { catalogOfDump } from './engine/dump/dump.js';
import { claimsOf } from './engine/policies/check.js';
import { schemaState } from './engine/schema/schema-state.js';

const STDIN = '-';

/** The parser blocks the server in which the command may run. */
const MOST_BYTES = 20_000_000;

export const dumpCommand: Command = {
  name: 'catalog from',
  summary:
    'A catalog file of what pg_dump --schema-only printed; what it cannot say is listed with its lines',
  usage: 'FILE',
  readOnly: true,
  examples: [
    'plugboard catalog from dump.sql > catalog.yaml',
    'pg_dump --schema-only shop | plugboard catalog from - --schema public --schema shop > catalog.yaml',
  ],
  options: {
    schema: {
      type: 'string',
      multiple: true,
      value: 'NAME',
      summary: 'a schema to take and to expose; several are (default: public)',
    },
  },
  async run({ args: [file = STDIN], options, stdin, stdout, stderr, cwd }) {
    const schemas = [options['schema'] ?? []].flat().map(String);
    const sql = file === STDIN ? await text(stdin) : await dumpIn(resolve(cwd, file), file);
    const made = await catalogOfDump(sql, file, schemas);
    if (made.relations === 0) throw new UserError(`${file}: no table to make a catalog of`);
    stdout.write(made.text);
    for (const { line, text: omission } of made.omissions) stderr.write(`${file}:${line}: ${omission}\n`);
    stderr.write(`${made.relations} tables and views; not in the catalog: ${made.omissions.length}\n`);
    check(made.text, cwd);
  },
};

async function dumpIn(path: string, shown: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > MOST_BYTES)
      throw new UserError(
        `${shown} has more than ${MOST_BYTES} bytes; dump the schema alone, pg_dump --schema-only`,
      );
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new UserError(`${shown} cannot be read: ${code}`);
  }
}

/** Reads it as a start does. */
function check(catalog: string, cwd: string): void {
  try {
    schemaState(readCatalog(catalog, 'catalog.yaml', cwd, claimsOf).catalog);
  } catch (error) {
    throw error instanceof CatalogError ? new UserError(error.message) : error;
  }
}
