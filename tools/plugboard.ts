#!/usr/bin/env node
/**
 * The command `plugboard`. Says in one line that this Node is too old; everything else is loaded after that check, because
 * an old Node cannot load it.
 */
import module from 'node:module';
import type * as Main from './cli/main.js';

/** The oldest minor version that works, of each major version; 21 lacks what 20.19 has. */
const OLDEST: Readonly<Record<number, number>> = { 20: 19, 21: Infinity, 22: 2 };

/** How long the last resources may take to close, in milliseconds. */
const GRACE = 1_000;
/** Standard streams stay open. */
const STREAMS = ['TTYWrap', 'PipeWrap'];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || minor < (OLDEST[major] ?? 0)) {
  console.error(`plugboard needs Node 20 from 20.19 on, or 22.2 or newer; this is ${process.versions.node}`);
  process.exitCode = 1;
} else {
  // Node checks what it kept against the source of each module. Node 20 has no such cache.
  (module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
  const bundle = new URL('../server/main.js', import.meta.url).href;
  const { main } = (await import(bundle)) as typeof Main;
  process.exitCode = await main(process.argv.slice(2));
  // A plugin that did not close what it opened must not keep the process alive.
  setTimeout(() => {
    const open = [...new Set(process.getActiveResourcesInfo())].filter((kind) => !STREAMS.includes(kind));
    console.error(`plugboard: ended while a plugin had not released what it opened (${open.join(', ')})`);
    process.exit();
  }, GRACE).unref();
}
