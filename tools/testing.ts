/**
 * `plugboard/testing`: boots the real kernel for a test, with fakes by token, and the contract that every plugin
 * passes. Here the kit of the kernel meets the built-in providers.
 */
import { testKit } from '../kernel/testing/kit.js';
import { builtins } from '../plugins/index.js';

/** A password's hash in 0.1 ms: at full cost hashing is nearly all of what a boot takes. */
const CHEAP_HASHING = { N: 16, r: 1, p: 1 };

const cheapAuth = async () => ({
  default: (await import('../plugins/auth/index.js')).localAuth(CHEAP_HASHING),
});

export const { bootTest, pluginContract } = testKit({
  ...builtins,
  providers: { ...builtins.providers, auth: { default: 'local', fillers: { local: cheapAuth } } },
});
export { fake, type AnyPlugin, type BootTestOptions, type TestServer } from '../kernel/testing/boot-test.js';
export { LogLines } from '../kernel/testing/log-lines.js';
export type { ContractOptions } from '../kernel/testing/plugin-contract.js';
