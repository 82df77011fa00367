/** `plugboard run`: serves a config until SIGTERM or SIGINT. */
import { parseArgs } from 'node:util';
import { boot, type Kernel } from '../../kernel/kernel.js';
import { createLog } from '../../kernel/log.js';
import type { ExitCode } from './exit-code.js';
import { findConfig, planOrFail } from './config.js';
import { watchAndRun } from './watch.js';

export async function runServer(words: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: { watch: { type: 'boolean' } },
    allowPositionals: true,
  });
  const file = findConfig(positionals[0]);
  if (values.watch === true) return watchAndRun(file);

  const { plan } = await planOrFail(file);
  const log = await createLog(plan.log);
  const interrupted = interruption();
  const kernel = await boot(plan, { log, stdout: process.stdout });
  const url = await kernel.listen();
  log.info(`the API is described at ${url}/-/docs`);
  const failed = crash();
  const reason = await Promise.race([interrupted, failed]);
  if (reason instanceof Error) log.fatal({ err: reason }, 'stopping after an error that nobody handled');
  else log.info(`${reason}: stopping`);
  return stop(kernel, reason);
}

async function stop(kernel: Kernel, reason: string | Error): Promise<ExitCode> {
  const failures = await kernel.stop();
  return reason instanceof Error || failures.length > 0 ? 1 : 0;
}

/** The first signal asks for an orderly stop; a second SIGINT ends the process with 130. */
function interruption(): Promise<string> {
  return new Promise((resolve) => {
    let interrupts = 0;
    process.on('SIGINT', () => {
      interrupts += 1;
      if (interrupts > 1) process.exit(130);
      resolve('SIGINT');
    });
    process.on('SIGTERM', () => resolve('SIGTERM'));
  });
}

/** After an error that nobody handled the state is unknown: stop in order rather than serve on. */
function crash(): Promise<Error> {
  return new Promise((resolve) => {
    process.on('uncaughtException', resolve);
    process.on('unhandledRejection', (reason) =>
      resolve(reason instanceof Error ? reason : new Error(String(reason))),
    );
  });
}
