/** `plugboard run`: serves a config until SIGTERM or SIGINT. */
import type { Logger } from 'pino';
import { storeFolder } from '../../kernel/command-socket/address.js';
import { serveCommands, type CommandServer } from '../../kernel/command-socket/serve.js';
import { Kernel } from '../../kernel/kernel.js';
import { createLog } from '../../kernel/log.js';
import type { ExitCode } from './exit-code.js';
import { findConfig, planOrFail } from './config.js';
import { watchAndRun } from './watch.js';
import { parseWords } from './words.js';

export async function runServer(words: readonly string[]): Promise<ExitCode> {
  const options = { watch: { type: 'boolean' } } as const;
  const { values, positionals } = parseWords(words, { options, most: 1 });
  const file = findConfig(positionals[0]);
  if (values.watch === true) return watchAndRun(file);

  const { plan } = await planOrFail(file);
  const log = await createLog(plan.log);
  const kernel = new Kernel(plan, { log, stdout: process.stdout });
  let commands: Promise<CommandServer> | undefined;
  const serve = async (): Promise<void> => {
    await kernel.setup();
    const folder = storeFolder(plan);
    if (folder !== undefined) await (commands = serveCommands(folder, kernel.commands(), log));
    await kernel.start();
    await listen(kernel, log);
  };
  const ended = Promise.race([interruption(), crash()]);
  // A server that is still starting, and perhaps waits for what does not answer, is stopped like any other.
  try {
    const reason = await Promise.race([ended, serve().then(() => ended)]);
    if (reason instanceof Error) log.fatal({ err: reason }, 'stopping after an error that nobody handled');
    else log.info(`${reason}: stopping`);
    await (await commands)?.close(plan.server.drainTimeout);
    return await stop(kernel, reason);
  } catch (error) {
    await (await commands)?.close(plan.server.drainTimeout);
    throw error;
  }
}

async function listen(kernel: Kernel, log: Logger): Promise<void> {
  const url = await kernel.listen();
  log.info(`the API is described at ${url}/-/docs`);
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
