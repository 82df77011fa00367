/** Fixture plugins: JavaScript as a stranger would write it, imported as the kernel imports it. */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AnyPlugin } from 'plugboard/testing';

export const root = resolve(import.meta.dirname, '../../..');

export async function fixturePlugin(name: string): Promise<AnyPlugin> {
  const file = join(root, 'test/fixtures/plugins', `${name}.js`);
  return ((await import(pathToFileURL(file).href)) as { default: AnyPlugin }).default;
}
