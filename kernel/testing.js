/** `plugboard/testing`: boots the real kernel for a test, with fakes by token, and the contract that every plugin passes. */
export { bootTest, fake, } from './testing/boot-test.js';
export { LogLines } from './testing/log-lines.js';
export { pluginContract } from './testing/plugin-contract.js';
//# sourceMappingURL=testing.js.map