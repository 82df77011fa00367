/** `plugboard catalog plan` and `catalog migrate`, and the job that a migration is. */
import { setTimeout as wait } from 'node:timers/promises';
import { UserError, type Command, type Job, type Jobs } from 'plugboard/sdk';
import { CatalogError } from './engine/catalog/read.js';
import type { LivingCatalog, MigrationResult } from './engine/evolution/living-catalog.js';

const MIGRATION = 'migrate-catalog';

/** Call it in set-up. */
export function handleMigrations(catalog: LivingCatalog, jobs: Jobs): void {
  jobs.handle(MIGRATION, (run) =>
    catalog.migrate({ progress: (done, total) => run.progress(done, total) }, run.signal),
  );
}

/** `hasStarted` says whether jobs run in this process; otherwise the command does the work itself. */
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
      name: 'catalog migrate',
      summary: 'Make the stored rows what the catalog file says, and put it in force',
      examples: ['plugboard catalog migrate'],
      async run({ stdout, stderr, signal }) {
        await asUser(() => catalog.propose());
        const report = (done: number, total: number | null): void => {
          stderr.write(`${done} of ${total ?? '?'} rows\n`);
        };
        const { applied, plan } = await asUser(() =>
          hasStarted() ? asJob(jobs, signal, report) : catalog.migrate({ progress: () => {} }, signal),
        );
        if (!applied) throw new UserError(`nothing was changed: rows stand in the way\n${plan}`);
        stdout.write(`${plan}\nthe catalog is in force\n`);
      },
    },
  ];
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
