/**
 * The command line as the build bundles it (`tools/build-bundle.ts`): a start reads a dozen files in place of 1,500.
 * As the compiler leaves it, it is the modules themselves.
 */
export { main } from '../cli/main.js';
