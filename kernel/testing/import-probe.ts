/**
 * A process of its own that imports a module and prints, as JSON, what the import did to the process: `node
 * import-probe.js URL`. The SDK is imported first, so that only the module's own effects count.
 */
import '../sdk/index.js';

const state = (): Record<string, readonly string[]> => ({
  'open resources': process.getActiveResourcesInfo().filter((kind) => !/^(TTY|Pipe)Wrap$/.test(kind)),
  'listeners of the process': process.eventNames().map(String),
  'global variables': Object.getOwnPropertyNames(globalThis),
  'environment variables': Object.entries(process.env).map(([name, value]) => `${name}=${value}`),
  'working folder': [process.cwd()],
});

/** Internal requests of the module loader end a little later. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

await settle();
const before = state();
await import(process.argv[2] ?? '');
await settle();
const after = state();
const effects = Object.entries(after).flatMap(([what, values]) => {
  const known = before[what] ?? [];
  return values.filter((value) => !known.includes(value)).map((value) => `${what}: ${value}`);
});
console.log(JSON.stringify(effects));
process.exit();
