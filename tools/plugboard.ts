#!/usr/bin/env node
/**
 * The command `plugboard`. Says in one line that this Node is too old; all else is loaded only then, because it
 * does not even load in one that is.
 */
const OLDEST = [20, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  console.error(`plugboard needs Node ${OLDEST.join('.')} or newer, and this is ${process.versions.node}`);
  process.exitCode = 1;
} else {
  const { main } = await import('./cli/main.js');
  process.exitCode = await main(process.argv.slice(2));
}
