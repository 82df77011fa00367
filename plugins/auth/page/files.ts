/** The files of the page of API keys, read once: nothing of a request's path reaches the file system. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, 'files');

const MODULES = ['api', 'dom', 'example', 'fields', 'issued', 'list', 'main', 'revoke', 'scopes'];

export interface PageFile {
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

/** The page at `/keys`, and what it loads below it. */
export function pageFiles(): PageFile[] {
  const file = (path: string, name: string, type: string): PageFile => ({
    path,
    type: `${type}; charset=utf-8`,
    text: readFileSync(join(FOLDER, name), 'utf8'),
  });
  return [
    file('/keys', 'keys.html', 'text/html'),
    file('/keys/keys.css', 'keys.css', 'text/css'),
    ...MODULES.map((name) => file(`/keys/${name}.js`, `${name}.js`, 'text/javascript')),
  ];
}
