/** `plugboard/testing`: boots the real kernel for a test, with fakes by token, and the contract that every plugin passes. */
export {
  bootTest,
  fake,
  type AnyPlugin,
  type BootTestOptions,
  type TestServer,
} from './testing/boot-test.js';
export { LogLines } from './testing/log-lines.js';
export { pluginContract, type ContractOptions } from './testing/plugin-contract.js';
