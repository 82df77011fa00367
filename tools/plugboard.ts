#!/usr/bin/env node
/**
 * The command `plugboard`. Says in one line that this Node is too old; everything else is loaded after that check, because
 * an old Node cannot load it.
 */
import module from 'node:module';

const OLDEST = [20, 19] as const;

/** How long the last resources may take to close, in milliseconds. */
const GRACE = 1_000;
/** Those of the terminal, which nobody has to close. */
const STREAMS = ['TTYWrap', 'PipeWrap'];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  console.error(`plugboard needs Node ${OLDEST.join('.')} or newer, and this is ${process.versions.node}`);
  process.exitCode = 1;
} else {
  // Of the modules that are not bundled. Node 20 has no such cache.
  (module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
  // Before there is garbage to collect.
  await import('../kernel/ticks.js');
  const { loadServer } = await import('./bundle/load.js');
  const { main, keepCompiled } = await loadServer();
  const words = process.argv.slice(2);
  process.exitCode = await main(words);
  // Other commands use a part of the code only.
  if (words[0] === 'run') keepCompiled();
  // A plugin that did not close what it opened must not keep the process alive.
  setTimeout(() => {
    const open = [...new Set(process.getActiveResourcesInfo())].filter((kind) => !STREAMS.includes(kind));
    console.error(`plugboard: ended while a plugin had not released what it opened (${open.join(', ')})`);
    process.exit();
  }, GRACE).unref();
}
