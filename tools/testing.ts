/**
 * `plugboard/testing`: boots the real kernel for a test, with fakes by token, and the contract that every plugin
 * passes. Here the kit of the kernel meets the built-in plugins and the command line.
 */
import {
  bootTest as bootWith,
  type AnyPlugin,
  type BootTestOptions,
  type TestParts,
  type TestServer,
} from '../kernel/testing/boot-test.js';
import { pluginContract as contractWith, type ContractOptions } from '../kernel/testing/plugin-contract.js';
import { builtins } from '../plugins/index.js';
import { findCommand, runCommand } from './cli/commands.js';

/** A password's hash in 0.1 ms: at full cost hashing is nearly all of what a boot takes. */
const CHEAP_HASHING = { N: 16, r: 1, p: 1 };

const cheapAuth = async () => ({
  default: (await import('../plugins/auth/index.js')).localAuth(CHEAP_HASHING),
});

const parts: TestParts = {
  builtins: {
    ...builtins,
    providers: { ...builtins.providers, auth: { default: 'local', fillers: { local: cheapAuth } } },
  },
  run: (commands, words, streams) => {
    const found = findCommand(commands, words);
    return found && runCommand(found.command, found.rest, streams);
  },
};

/** Boots the real kernel in memory, without listening. Throws the problems of the config as a user would see them. */
export function bootTest(options?: BootTestOptions): Promise<TestServer> {
  return bootWith(parts, options);
}

/** Registers the tests that every plugin passes. `options` holds what the plugin needs besides the providers, e.g. fakes. */
export function pluginContract(plugin: AnyPlugin, options?: ContractOptions): void {
  contractWith(bootTest, plugin, options);
}

export { fake, LogLines } from '../kernel/testing/boot-test.js';
export type { AnyPlugin, BootTestOptions, ContractOptions, TestServer };
