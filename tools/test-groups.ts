/**
 * Test files that share a process. Loading the server costs a second or two of processor time, as much as most of
 * these files take for their tests; and code that has run is faster the next time.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What starts servers of its own, or judges the memory and the waits of its process, has one for itself. */
const ALONE = new Set(['e2e', 'hostile', 'slow', 'support']);
/** Files in a group: with more, the last group to start would hold the run up. */
const SIZE = 8;

/** The files to give to node's runner, for compiled tests below `tests`: those that stand alone, then one for each group, written into `folder`. */
export function groupTestFiles(tests: string, files: readonly string[], folder: string): string[] {
  const alone: string[] = [];
  const together = new Map<string, string[]>();
  for (const file of files) {
    const parents = relative(tests, dirname(file)).split(sep);
    if (parents.some((parent) => ALONE.has(parent))) alone.push(file);
    else {
      const topic = parents.slice(0, 2).join('-');
      together.set(topic, [...(together.get(topic) ?? []), file]);
    }
  }
  const groups = [...together].flatMap(([topic, members]) => {
    const count = Math.ceil(members.length / SIZE);
    return Array.from({ length: count }, (_, group) => ({
      name: `${topic}-${group + 1}.test.mjs`,
      members: members.filter((_member, index) => index % count === group),
    }));
  });
  mkdirSync(folder, { recursive: true });
  return [
    ...alone,
    ...groups
      .map(({ name, members }) => (members.length === 1 ? members : [write(join(folder, name), members)]))
      .flat(),
  ];
}

function write(group: string, members: readonly string[]): string {
  writeFileSync(
    group,
    members.map((file) => `import ${JSON.stringify(pathToFileURL(file).href)};\n`).join(''),
  );
  return group;
}
