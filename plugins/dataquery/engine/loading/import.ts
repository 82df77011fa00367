/** `plugboard import rows FILE`: rows through the very pipeline of requests, with every constraint. */
import { resolve } from 'node:path';
import { isServiceError, UserError, type Command } from 'plugboard/sdk';
import { parseQuery } from '../query/parse.js';
import type { DataService } from '../../service.js';
import type { WriteRequest } from '../write/request.js';
import { write } from '../write/write.js';
import { readRowsFile, RowsFileError, type RelationRows } from './rows-file.js';

/** Rows of one transaction. */
const BATCH = 1_000;
const RESOLUTIONS = ['error', 'ignore', 'merge'];

export function importCommand(service: DataService): Command {
  return {
    name: 'import rows',
    summary: 'Load rows into relations from JSON, NDJSON or CSV',
    usage: 'FILE',
    examples: ['plugboard import rows cinema.json', 'plugboard import rows films.csv --duplicates merge'],
    options: {
      relation: {
        type: 'string',
        value: 'NAME',
        summary: 'whose rows a list, NDJSON or CSV holds (default: the file name)',
      },
      duplicates: {
        type: 'string',
        value: RESOLUTIONS.join('|'),
        default: 'error',
        summary: 'what to do with a row whose primary key is there already',
      },
    },
    async run({ args, options, stdout, stderr, signal, cwd }) {
      const [file] = args;
      if (file === undefined) throw new UserError('name the file: plugboard import rows FILE');
      const resolution = resolutionOf(options['duplicates']);
      const relation = typeof options['relation'] === 'string' ? options['relation'] : undefined;
      const found = await readRowsFile(service.state.catalog, resolve(cwd, file), relation).catch(
        (error: unknown) => {
          throw error instanceof RowsFileError ? new UserError(error.message) : error;
        },
      );
      for (const part of found) {
        const report = everySoOften((rows) =>
          stderr.write(`${part.relation.name}: ${rows} of ${part.rows.length} rows so far\n`),
        );
        const written = await importRelation(service, part, resolution, signal, report);
        stdout.write(`${part.relation.name}: ${written} of ${part.rows.length} rows\n`);
      }
    },
  };
}

/** Milliseconds between two words about a long import. */
const INTERVAL = 10_000;

function everySoOften(report: (rows: number) => void): (rows: number) => void {
  let due = performance.now() + INTERVAL;
  return (rows) => {
    if (performance.now() < due) return;
    due += INTERVAL;
    report(rows);
  };
}

function resolutionOf(option: unknown): WriteRequest['resolution'] {
  if (typeof option !== 'string' || !RESOLUTIONS.includes(option)) {
    throw new UserError(`--duplicates must be one of ${RESOLUTIONS.join(', ')}`);
  }
  return option === 'error' ? undefined : (`${option}-duplicates` as WriteRequest['resolution']);
}

/** How many rows were stored. What was stored before a refused batch stays: the error says which rows it holds. */
async function importRelation(
  service: DataService,
  { relation, rows }: RelationRows,
  resolution: WriteRequest['resolution'],
  signal: AbortSignal,
  report: (written: number) => void,
): Promise<number> {
  let written = 0;
  for (let at = 0; at < rows.length && !signal.aborted; at += BATCH) {
    const batch = rows.slice(at, at + BATCH);
    const columns = [...new Set(batch.flatMap((row) => Object.keys(row)))];
    try {
      const { affected } = await write(service.context(), {
        verb: 'insert',
        relation,
        query: { ...parseQuery(''), columns },
        body: () => Promise.resolve({ rows: batch, keys: columns }),
        missingDefault: true,
        resolution,
        represents: false,
        maxAffected: undefined,
        single: false,
        stripNulls: false,
        rollback: false,
      });
      written += affected;
      report(written);
    } catch (error) {
      if (!isServiceError(error)) throw error;
      const details = typeof error.fields.details === 'string' ? ` (${error.fields.details})` : '';
      const range = `rows ${at + 1} to ${at + batch.length}`;
      throw new UserError(
        `"${relation.name}", ${range}: ${error.message}${details}; none of these is stored, ${written} before them are`,
      );
    }
  }
  return written;
}
