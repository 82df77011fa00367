/** The commands `plugboard catalog ...`, and the jobs that migrate and that delete dropped values. */
import { setTimeout as wait } from 'node:timers/promises';
import { UserError, type Command, type Job, type Jobs, type Logger } from 'plugboard/sdk';
import { everySoOften } from './engine/base/every-so-often.js';
import { CatalogError } from './engine/catalog/read.js';
import { databaseType } from './front/typescript/database-type.js';
import type { LivingCatalog, MigrationResult } from './engine/evolution/living-catalog.js';

const MIGRATION = 'migrate-catalog';
const PURGE = 'delete-dropped';
const DAY = 24 * 3_600_000;

/** Milliseconds between two lines about a migration that runs in this process. */
const REPORT_EVERY = 200;

/** Call it in set-up. */
export function handleMigrations(catalog: LivingCatalog, jobs: Jobs): void {
  jobs.handle(MIGRATION, (run) =>
    catalog.migrate({ progress: (done, total) => run.progress(done, total) }, run.signal),
  );
  jobs.handle(PURGE, (run) =>
    catalog.purge({ progress: (done, total) => run.progress(done, total) }, run.signal),
  );
}

/** Looks for dropped values every day. Call it at the start. */
export async function deleteDropped(jobs: Jobs): Promise<void> {
  await jobs.add(PURGE, { every: DAY });
}

/**
 * At the start, if the catalog file is not in force: resumes an interrupted migration; otherwise the old catalog is
 * served only if that is configured. Throws a UserError.
 */
export async function startBehind(
  catalog: LivingCatalog,
  jobs: Jobs,
  log: Logger,
  serves: boolean,
): Promise<void> {
  const { behind } = catalog;
  if (behind === undefined) return;
  if (await catalog.isMigrating()) {
    log.warn('the migration of the catalog goes on; the old catalog serves until it is done');
    await jobs.add(MIGRATION, { key: 'catalog' });
  } else if (serves && catalog.isOlder)
    log.error(`the names of the older file are served: ${behind.message}`);
  else if (serves) log.error(`the old catalog stays in force: ${behind.message}`);
  else throw new UserError(behind.message);
}

/** `hasStarted`: whether jobs run in this process; otherwise the command does the work itself. */
export function catalogCommands(catalog: LivingCatalog, jobs: Jobs, hasStarted: () => boolean): Command[] {
  return [
    {
      name: 'catalog plan',
      summary: 'What taking the catalog file would change, cost and break',
      examples: ['plugboard catalog plan'],
      async run({ stdout }) {
        stdout.write(`${await asUser(() => catalog.plan())}\n`);
      },
    },
    {
      name: 'types',
      summary: 'The tables of the catalog in force as TypeScript, for a typed client',
      examples: ['plugboard types > database.ts'],
      async run({ stdout }) {
        stdout.write(databaseType(catalog.state.catalog));
      },
    },
    {
      name: 'catalog history',
      summary: 'The catalogs that have been in force, or the file of one of them',
      usage: '[NUMBER]',
      examples: ['plugboard catalog history', 'plugboard catalog history 3 > catalog.yaml'],
      async run({ args: [number], stdout }) {
        const text = await asUser(() =>
          number === undefined ? catalog.history() : catalog.textOf(numberIn(number)),
        );
        stdout.write(text.endsWith('\n') ? text : `${text}\n`);
      },
    },
    {
      name: 'catalog rollback',
      summary: 'What going back to a catalog of the history would change, cost and break',
      usage: 'NUMBER',
      examples: ['plugboard catalog rollback 3'],
      async run({ args: [number = ''], stdout }) {
        const plan = await asUser(() => catalog.planBack(numberIn(number)));
        stdout.write(
          `${plan}\nto do it, put its file back with "plugboard catalog history ${number}" and run "plugboard catalog migrate"\n`,
        );
      },
    },
    {
      name: 'catalog migrate',
      summary: 'Make the stored rows what the catalog file says, and put it in force',
      examples: ['plugboard catalog migrate', 'plugboard catalog migrate --drop films.note'],
      options: {
        drop: {
          type: 'string',
          multiple: true,
          value: 'NAME',
          summary:
            'also drop the values of a column, or the rows of a relation, that the file no longer declares',
        },
        now: { type: 'boolean', summary: 'delete what is dropped at once, and not after a week' },
      },
      async run({ options, stdout, stderr, signal }) {
        const { drop = [], now } = options;
        const names = Array.isArray(drop) ? drop.map(String) : [String(drop)];
        await asUser(() => catalog.propose(names, now === true));
        const report = (done: number, total: number | null): void => {
          stderr.write(`${done} of ${total ?? '?'} rows\n`);
        };
        const { applied, plan } = await asUser(() =>
          hasStarted()
            ? asJob(jobs, signal, report)
            : catalog.migrate({ progress: everySoOften(report, REPORT_EVERY, 0) }, signal),
        );
        if (!applied) throw new UserError(`nothing was changed: rows violate the new catalog\n${plan}`);
        stdout.write(`${plan}\nthe catalog is in force\n`);
      },
    },
  ];
}

function numberIn(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new UserError(`"${text}" is not the number of a catalog`);
  return number;
}

async function asJob(
  jobs: Jobs,
  signal: AbortSignal,
  report: (done: number, total: number | null) => void,
): Promise<MigrationResult> {
  let job: Job = await jobs.add(MIGRATION, { key: 'catalog' });
  let told = 0;
  while (job.state === 'waiting' || job.state === 'running') {
    await wait(200, undefined, { signal });
    const current = await jobs.get(job.id);
    if (current === null) break;
    job = current;
    if (job.done > told) report((told = job.done), job.total);
  }
  if (job.state !== 'done')
    throw new UserError(`the migration is ${job.state}: ${job.error ?? 'no reason is known'}`);
  return job.result as MigrationResult;
}

async function asUser<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof CatalogError ? new UserError(error.message) : error;
  }
}
