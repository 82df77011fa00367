/** `plugboard jobs`: lists jobs with their progress, and cancels them. */
import { type Command, type Job, type JobState, UserError } from 'plugboard/sdk';
import type { JobQueue } from './queue.js';
import { toJob } from './record.js';
import type { JobRunner } from './runner.js';

const STATES: readonly string[] = [
  'waiting',
  'running',
  'done',
  'failed',
  'cancelled',
] satisfies readonly JobState[];

export function jobCommands(queue: JobQueue, runner: JobRunner): Command[] {
  return [
    {
      name: 'jobs',
      summary: 'list jobs with their progress, the newest first',
      readOnly: true,
      options: {
        state: { type: 'string', value: 'STATE', summary: STATES.join(', ') },
        json: { type: 'boolean', summary: 'print JSON' },
      },
      examples: ['plugboard jobs --state running'],
      async run({ options: { state, json }, stdout }) {
        if (state !== undefined && !STATES.includes(String(state)))
          throw new UserError(`invalid state "${String(state)}"; use one of ${STATES.join(', ')}`);
        const jobs = (await queue.list(state === undefined ? {} : { state: state as JobState })).map(toJob);
        if (json === true) stdout.write(`${JSON.stringify({ jobs })}\n`);
        else if (jobs.length === 0) stdout.write('no jobs\n');
        else for (const job of jobs) stdout.write(`${line(job)}\n`);
      },
    },
    {
      name: 'jobs cancel',
      summary: 'cancel a job that waits or runs',
      usage: 'ID',
      async run({ args: [id = ''], stdout }) {
        const job = await queue.cancel(id);
        if (job === null) throw new UserError(`no job "${id}" is waiting or running`);
        runner.cancel(id);
        stdout.write(`cancelled ${job.owner} ${job.name}\n`);
      },
    },
  ];
}

function line({ id, owner, name, key, state, attempt, done, total, error, at }: Job): string {
  const what = key === name ? name : `${name} ${key}`;
  const share = total === null || total === 0 ? '' : ` of ${total} (${Math.floor((100 * done) / total)} %)`;
  const progress = done === 0 && total === null ? '' : `, ${done}${share}`;
  const due = state === 'waiting' && at !== null ? ` until ${at.toISOString()}` : '';
  const tried = attempt > 1 ? `, attempt ${attempt}` : '';
  const failure =
    error === null ? '' : `${state === 'failed' ? '' : '; an earlier attempt failed'}: ${error}`;
  return `${id}  ${owner} ${what}: ${state}${due}${progress}${tried}${failure}`;
}
