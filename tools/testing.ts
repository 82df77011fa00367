/**
 * `plugboard/testing`: boots the real kernel for a test, with fakes by token, and the contract that every plugin
 * passes. Here the kit of the kernel meets the built-in plugins and the command line.
 */
import { testKit } from '../kernel/testing/kit.js';
import { builtins } from '../plugins/index.js';
import { findCommand, runCommand } from './cli/commands.js';

/** A password's hash in 0.1 ms: at full cost hashing is nearly all of what a boot takes. */
const CHEAP_HASHING = { N: 16, r: 1, p: 1 };

const cheapAuth = async () => ({
  default: (await import('../plugins/auth/index.js')).localAuth(CHEAP_HASHING),
});

export const { bootTest, pluginContract } = testKit({
  builtins: {
    ...builtins,
    providers: { ...builtins.providers, auth: { default: 'local', fillers: { local: cheapAuth } } },
  },
  run: (commands, words, streams) => {
    const found = findCommand(commands, words);
    return found && runCommand(found.command, found.rest, streams);
  },
});
export { fake, type AnyPlugin, type BootTestOptions, type TestServer } from '../kernel/testing/boot-test.js';
export { LogLines } from '../kernel/testing/log-lines.js';
export type { ContractOptions } from '../kernel/testing/plugin-contract.js';
