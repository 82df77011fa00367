/** `plugboard import rows FILE`: rows through the same pipeline as requests, with every constraint. */
import { basename, extname, resolve } from 'node:path';
import { isServiceError, UserError, type Command, type Transaction } from 'plugboard/sdk';
import { unboundedBudget } from '../base/unbounded-budget.js';
import { everySoOften } from '../base/every-so-often.js';
import type { Column, Relation } from '../catalog/model.js';
import { parseQuery } from '../query/parse.js';
import type { WriteContext, WriteRequest } from '../write/request.js';
import { readGiven, type Row } from '../write/rows.js';
import { SERVER, type Caller } from '../policies/caller.js';
import { write } from '../write/write.js';
import { ImportProgress } from './import-progress.js';
import { STDIN, streamedFormat, streamedRows, type SourceRow, type StreamedFormat } from './row-source.js';
import { readRowsFile, relationNamed, RowsFileError } from './rows-file.js';

export interface ImportContext {
  /** For one batch. */
  context(caller: Caller): WriteContext;
  /** Runs a write when no migration holds it. */
  write<T>(work: () => Promise<T>): Promise<T>;
}

/** Rows of one transaction. */
const BATCH = 2_000;
/** Milliseconds between two lines about a long import. */
const REPORT_EVERY = 10_000;
const RESOLUTIONS = ['error', 'ignore', 'merge'];

export function importCommand(service: ImportContext): Command {
  return {
    name: 'import rows',
    summary: 'Load rows into relations from JSON, NDJSON or CSV',
    usage: 'FILE',
    examples: [
      'plugboard import rows cinema.json',
      'plugboard import rows films.csv --duplicates merge',
      'zcat films.csv.gz | plugboard import rows - --relation films',
    ],
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
      skip: {
        type: 'string',
        value: 'ROWS',
        default: '0',
        summary: 'how many rows of the file to pass over',
      },
      restart: {
        type: 'boolean',
        summary: 'begin at the first row, also where an import of this file was broken off',
      },
      format: {
        type: 'string',
        value: 'csv|ndjson',
        default: 'csv',
        summary: 'what standard input holds, of which the name is -',
      },
    },
    async run({ args, options, stdin, stdout, stderr, signal, cwd }) {
      const [name] = args;
      if (name === undefined) throw new UserError('name the file: plugboard import rows FILE');
      const file = name === STDIN ? STDIN : resolve(cwd, name);
      const resolution = resolutionOf(options['duplicates']);
      const skip = skipped(options['skip']);
      const relation = typeof options['relation'] === 'string' ? options['relation'] : undefined;
      try {
        const format = formatOf(options['format']);
        for (const part of await partsOf(service, file, relation, format, stdin)) {
          const shown = part.relation.name;
          const before = skip > 0 || options['restart'] === true ? 0 : await rowsBefore(part);
          if (before > 0) stderr.write(`${shown}: ${before} rows are stored by an import before this one\n`);
          const report = everySoOften(
            (rows: number) => void stderr.write(`${shown}: ${rows} rows so far\n`),
            REPORT_EVERY,
          );
          const passed = before || skip;
          const { rows, stored } = await importRows(service, part, {
            resolution,
            skip: passed,
            signal,
            report,
          });
          stdout.write(`${shown}: ${stored} of ${rows} rows\n`);
        }
      } catch (error) {
        throw error instanceof RowsFileError ? new UserError(error.message) : error;
      }
    },
  };
}

interface Part {
  readonly relation: Relation;
  readonly rows: () => AsyncIterable<SourceRow> | Iterable<SourceRow>;
  /** What the file's rows are called. */
  readonly unit: 'line' | 'row';
  /** For a file that can be read again from its beginning. */
  readonly progress: ImportProgress | undefined;
}

async function partsOf(
  service: ImportContext,
  file: string,
  relation: string | undefined,
  stdinFormat: StreamedFormat,
  stdin: NodeJS.ReadableStream,
): Promise<Part[]> {
  const { state, store } = service.context(SERVER);
  const { catalog } = state;
  const format = streamedFormat(file);
  if (file === STDIN) {
    if (relation === undefined) throw new UserError('say whose rows standard input holds: --relation NAME');
    const rows = () => streamedRows(file, stdinFormat, stdin as unknown as AsyncIterable<Uint8Array>);
    const named = relationNamed(catalog, relation, 'standard input');
    return [{ relation: named, rows, unit: 'line', progress: undefined }];
  }
  if (format !== undefined) {
    const named = relationNamed(catalog, relation ?? basename(file, extname(file)), file);
    const progress = new ImportProgress(store, named, file);
    return [{ relation: named, rows: () => streamedRows(file, format), unit: 'line', progress }];
  }
  const { parts } = await readRowsFile(catalog, file, relation);
  return parts.map((part) => ({
    relation: part.relation,
    rows: () => part.rows.map((row, at) => ({ line: at + 1, row, text: '' })),
    unit: 'row' as const,
    progress: undefined,
  }));
}

async function rowsBefore({ progress, rows }: Part): Promise<number> {
  return (await progress?.storedRows(rows() as AsyncIterable<SourceRow>)) ?? 0;
}

function formatOf(option: unknown): StreamedFormat {
  if (option === 'csv' || option === 'ndjson') return option;
  throw new UserError('--format must be csv or ndjson');
}

interface ImportOptions {
  readonly resolution: WriteRequest['resolution'];
  readonly skip: number;
  readonly signal: AbortSignal;
  readonly report: (stored: number) => void;
}

/** Rows before a refused one stay stored: the error says how many, and which row is refused. */
async function importRows(
  service: ImportContext,
  part: Part,
  { resolution, skip, signal, report }: ImportOptions,
): Promise<{ rows: number; stored: number }> {
  let rows = 0;
  let stored = 0;
  let batch: SourceRow[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    stored += await storeBatch(service, part, batch, resolution, rows - batch.length);
    batch = [];
    report(rows);
  };
  for await (const row of part.rows()) {
    if (signal.aborted) break;
    rows += 1;
    if (rows <= skip) {
      part.progress?.pass(row);
      continue;
    }
    batch.push(row);
    if (batch.length === BATCH) await flush();
  }
  if (signal.aborted) return { rows: rows - batch.length, stored };
  await flush();
  await part.progress?.end();
  return { rows, stored };
}

async function storeBatch(
  service: ImportContext,
  { relation, unit, progress }: Part,
  batch: readonly SourceRow[],
  resolution: WriteRequest['resolution'],
  before: number,
): Promise<number> {
  const store = (rows: readonly SourceRow[], rollback: boolean): Promise<number> =>
    service.write(async () => {
      const given = rows.map(({ row }) => row);
      let noted: (() => void) | undefined;
      const request = {
        ...insertion(relation, given, resolution, rollback),
        alongside: async (tx: Transaction) => (noted = await progress?.note(rows, before + rows.length, tx)),
      };
      const { affected } = await write({ ...service.context(SERVER), budget: unboundedBudget() }, request);
      noted?.();
      return affected;
    });
  try {
    return await store(batch, false);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    const at = await firstRefused(batch, (rows) => store(rows, true));
    if (at > 0) await store(batch.slice(0, at), false);
    const { line, row } = batch[at]!;
    const details = typeof error.fields.details === 'string' ? ` (${error.fields.details})` : '';
    const reason = columnRefused(relation, row) ?? `${error.message}${details}`;
    const again = progress === undefined ? `--skip ${before + at} goes on` : 'the same command goes on';
    throw new RowsFileError(
      `"${relation.name}", ${unit} ${line}: ${reason}; the ${before + at} rows before it are stored, ${again} when it is mended`,
    );
  }
}

function insertion(
  relation: Relation,
  rows: readonly Row[],
  resolution: WriteRequest['resolution'],
  rollback: boolean,
): WriteRequest {
  const names = new Set<string>();
  for (const row of rows) for (const name in row) names.add(name);
  const columns = [...names];
  return {
    verb: 'insert',
    relation,
    query: { ...parseQuery(''), columns },
    body: () => Promise.resolve({ rows, keys: columns }),
    missingDefault: true,
    resolution,
    represents: false,
    locates: false,
    maxAffected: undefined,
    single: false,
    stripNulls: false,
    rollback,
  };
}

/** Finds the refused row by bisection; each half is tried and rolled back. */
async function firstRefused(
  batch: readonly SourceRow[],
  attempt: (rows: readonly SourceRow[]) => Promise<unknown>,
): Promise<number> {
  let taken = 0;
  let refused = batch.length;
  while (refused - taken > 1) {
    const middle = Math.floor((taken + refused) / 2);
    try {
      await attempt(batch.slice(0, middle));
      taken = middle;
    } catch (error) {
      if (!isServiceError(error)) throw error;
      refused = middle;
    }
  }
  return refused - 1;
}

/** Which column refuses its value. */
function columnRefused(relation: Relation, row: Row): string | undefined {
  for (const [name, value] of Object.entries(row)) {
    const column: Column | undefined = relation.columns.get(name);
    if (column === undefined) continue;
    try {
      readGiven(column.type, value);
    } catch (error) {
      if (isServiceError(error)) return `column "${name}": ${error.message}`;
      throw error;
    }
  }
  return undefined;
}

function resolutionOf(option: unknown): WriteRequest['resolution'] {
  if (typeof option !== 'string' || !RESOLUTIONS.includes(option)) {
    throw new UserError(`--duplicates must be one of ${RESOLUTIONS.join(', ')}`);
  }
  return option === 'error' ? undefined : (`${option}-duplicates` as WriteRequest['resolution']);
}

function skipped(option: unknown): number {
  if (typeof option === 'string' && /^\d{1,15}$/.test(option)) return Number(option);
  throw new UserError('--skip must be a number of rows');
}
