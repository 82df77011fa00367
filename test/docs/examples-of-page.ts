/** The plugins that a page for authors shows, imported unchanged. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { AnyPlugin } from 'plugboard/testing';
import { root } from '../support/fixtures.js';

export interface Example {
  readonly default: AnyPlugin;
  readonly [name: string]: unknown;
}

/**
 * `page` is a name in docs/ without its ending. The result takes a heading, or nothing for the part before the first.
 */
export function examplesOf(page: string): (heading?: string) => Promise<Example> {
  const text = readFileSync(join(root, `docs/${page}.md`), 'utf8');
  // Inside of the package, so that `plugboard/sdk` is this one.
  const folder = join(root, 'dist/test/docs', page);
  before(() => mkdirSync(folder, { recursive: true }));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return async (heading) => {
    const [intro = '', ...sections] = text.split(/^## /m);
    const section = heading === undefined ? intro : sections.find((one) => one.startsWith(`${heading}\n`));
    const code = /```js\n([\s\S]*?)```/.exec(section ?? '')?.[1];
    if (code === undefined)
      throw new Error(`docs/${page}.md has no example under "${heading ?? 'its title'}"`);
    const file = join(folder, `${(heading ?? 'intro').toLowerCase().replaceAll(/\W+/g, '-')}.mjs`);
    writeFileSync(file, code);
    return (await import(pathToFileURL(file).href)) as Example;
  };
}
