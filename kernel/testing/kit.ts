/** What `plugboard/testing` offers, made of the parts that it is handed. */
import {
  bootTest,
  type AnyPlugin,
  type BootTestOptions,
  type TestParts,
  type TestServer,
} from './boot-test.js';
import { pluginContract, type ContractOptions } from './plugin-contract.js';

export interface TestKit {
  /** Boots the real kernel in memory, without listening. Throws the problems of the config as a user would see them. */
  bootTest(this: void, options?: BootTestOptions): Promise<TestServer>;
  /** Registers the tests that every plugin passes. `options` says what the plugin needs beside the providers, e.g. fakes. */
  pluginContract(this: void, plugin: AnyPlugin, options?: ContractOptions): void;
}

export function testKit(parts: TestParts): TestKit {
  const boot: TestKit['bootTest'] = (options) => bootTest(parts, options);
  return {
    bootTest: boot,
    pluginContract: (plugin, options) => pluginContract(boot, plugin, options),
  };
}
