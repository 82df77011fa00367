/**
 * Test files that share a process. Loading the server costs a second or two of processor time, as much as most of
 * these files take for their tests; and code that has run is faster the next time.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Tests that start servers, or measure their process's memory and waits, get a process of their own. */
const ALONE = new Set(['e2e', 'hostile', 'slow', 'support']);
/** The slowest start first; the others run in parallel. */
const FIRST = ['e2e', 'hostile', 'tools', 'docs', 'conformance'];
/** Files in a process: with more, the last to start would hold the run up. Few files are spread over processes. */
const SIZE = 12;
const PROCESSES = 3;

interface Group {
  readonly name: string;
  readonly members: readonly string[];
}

/**
 * The files to give to node's runner for the compiled tests below `tests`: one for each process, written into `folder`,
 * in the order in which they start.
 */
export function groupTestFiles(tests: string, files: readonly string[], folder: string): string[] {
  const topics = new Map<string, string[]>();
  for (const file of files) {
    const parents = relative(tests, dirname(file)).split(sep);
    const topic = [
      ...parents.slice(0, 2),
      ...(parents.some((parent) => ALONE.has(parent)) ? [basename(file, '.test.js')] : []),
    ].join('-');
    topics.set(topic, [...(topics.get(topic) ?? []), file]);
  }
  mkdirSync(folder, { recursive: true });
  const size = Math.min(SIZE, Math.ceil(files.length / PROCESSES));
  return [...topics]
    .sort(([one], [other]) => turn(one) - turn(other))
    .flatMap(([topic, members]) => split(topic, members, size))
    .map(({ name, members }, index) => {
      // The runner takes files by name.
      const file = join(folder, `${String(index).padStart(3, '0')}-${name}.test.mjs`);
      writeFileSync(
        file,
        members.map((member) => `import ${JSON.stringify(pathToFileURL(member).href)};\n`).join(''),
      );
      return file;
    });
}

function turn(topic: string): number {
  const at = FIRST.findIndex((first) => topic.startsWith(first));
  return at === -1 ? FIRST.length : at;
}

function split(topic: string, members: readonly string[], size: number): Group[] {
  const count = Math.ceil(members.length / size);
  return Array.from({ length: count }, (_, at) => ({
    name: count === 1 ? topic : `${topic}-${at + 1}`,
    members: members.filter((_member, index) => index % count === at),
  }));
}
