/** `plugboard events import FILE`: the import as a job, with its progress at the terminal. */
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError, type Command, type CommandCall, type Job, type JobRun, type Jobs } from 'plugboard/sdk';
import { stat } from 'node:fs/promises';
import type { ImportInput, ImportResult } from './import.js';

/** The file is on this machine, so an instance on this machine runs the job. */
export const IMPORT = `import ${hostname()}`;
const LOOK_EVERY = 200;

export interface ImportCommandParts {
  readonly jobs: Jobs;
  /** Whether this process runs jobs: without a running server the command's own server does not start. */
  readonly runsJobs: () => boolean;
  readonly run: (run: JobRun<ImportInput>) => Promise<ImportResult>;
  readonly log: JobRun<ImportInput>['log'];
}

export function importCommand(parts: ImportCommandParts): Command {
  return {
    name: 'events import',
    summary:
      'import an archive of events, one JSON object a line, gzip or plain; resumes where it was interrupted',
    usage: 'FILE',
    options: {
      'issue-events': { type: 'boolean', summary: 'the file holds issue events' },
      skip: { type: 'boolean', summary: 'pass over wrong lines instead of stopping at the first' },
    },
    examples: [
      'plugboard events import 2026-11-01-15.json.gz',
      'plugboard events import --skip --issue-events issues.json.gz',
    ],
    run: (call) => runImport(parts, call),
  };
}

async function runImport(parts: ImportCommandParts, call: CommandCall): Promise<void> {
  const input: ImportInput = {
    path: resolve(call.cwd, call.args[0] ?? ''),
    records: call.options['issue-events'] === true ? 'issue-events' : 'events',
    onError: call.options['skip'] === true ? 'skip' : 'stop',
  };
  const file = await stat(input.path).catch(() => undefined);
  if (file?.isFile() !== true) throw new UserError(`no file ${input.path}`);
  const show = progressLine(call);
  const result = parts.runsJobs()
    ? await asJob(parts, input, call, show)
    : await here(parts, input, call, show);
  const { lines, stored, known, expired, unknown, skipped, wrong, stopped } = result;
  call.stdout.write(
    `${lines} lines: ${stored} stored, ${known} known already, ${expired} older than the retention, ` +
      `${unknown} of unknown repositories, ${skipped} wrong\n`,
  );
  for (const { line, reason } of wrong) call.stderr.write(`line ${line}: ${reason}\n`);
  if (stopped !== null) {
    const { line, reason } = stopped;
    throw new UserError(`stopped at line ${line}: ${reason}; what came before it is stored`);
  }
}

async function asJob(
  { jobs }: ImportCommandParts,
  input: ImportInput,
  { signal }: CommandCall,
  show: (done: number, total: number | null) => void,
): Promise<ImportResult> {
  let job: Job | null = await jobs.add(IMPORT, { key: input.path, input });
  while (job !== null && (job.state === 'waiting' || job.state === 'running')) {
    if (signal.aborted) throw new UserError(`the import goes on in the server: "plugboard jobs" shows it`);
    show(job.done, job.total);
    await sleep(LOOK_EVERY);
    job = await jobs.get(job.id);
  }
  if (job?.state === 'done') return job.result as ImportResult;
  throw new UserError(`the import failed: ${job?.error ?? 'it was cancelled'}`);
}

/** Without a checkpoint: a restart skips what is stored. */
function here(
  { run, log }: ImportCommandParts,
  input: ImportInput,
  { signal }: CommandCall,
  show: (done: number, total: number | null) => void,
): Promise<ImportResult> {
  return run({
    id: 'command',
    input,
    attempt: 1,
    checkpoint: undefined,
    signal,
    log,
    progress: (done, total = null) => show(done, total),
    save: () => Promise.resolve(),
  });
}

/** One line per tenth of the file. */
function progressLine({ stderr }: CommandCall): (done: number, total: number | null) => void {
  let shown = 0;
  return (done, total) => {
    const tenth = total === null || total === 0 ? 0 : Math.floor((10 * done) / total);
    if (tenth <= shown) return;
    shown = tenth;
    stderr.write(`${tenth * 10} %\n`);
  };
}
