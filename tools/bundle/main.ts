/** What the bundle hands out: the command line. `build.ts` makes it, `load.ts` runs it. */
export { main } from '../cli/main.js';
