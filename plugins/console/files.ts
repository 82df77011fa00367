/** Files for browsers: the build's output, and the modules of other plugins' pages. */
import { readFile, realpath } from 'node:fs/promises';
import { dirname, extname, join, sep } from 'node:path';
import { entityTag, noneMatchHolds, type InstalledPage, type Reply, type Request } from 'plugboard/sdk';
import { BUILT_FOLDER, type Built } from './built.js';
import { chooseCopy } from './encoding.js';

const YEAR = 365 * 24 * 3600;

/** A file with a hash in its name. False if there is none of that name. */
export async function sendBuilt(
  built: Built,
  path: string,
  request: Request,
  reply: Reply,
): Promise<boolean> {
  const file = Object.hasOwn(built.files, path) ? built.files[path] : undefined;
  if (file === undefined) return false;
  const copy = chooseCopy(request.headers['accept-encoding']);
  const content = await contentOf(join(BUILT_FOLDER, `${path}${copy?.ending ?? ''}`));
  // A newer build has overwritten the one that this server started with.
  if (content === undefined) return false;
  if (copy !== undefined) void reply.header('content-encoding', copy.encoding);
  await reply
    .header('cache-control', `public, max-age=${YEAR}, immutable`)
    .header('vary', 'accept-encoding')
    .type(file.type)
    .send(content);
  return true;
}

/** Undefined if there is no such file. */
async function contentOf(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** A file in or below the folder of a page's module. False: there is none, or no page loads files of its type. */
export async function sendPageFile(
  page: InstalledPage,
  path: string,
  request: Request,
  reply: Reply,
): Promise<boolean> {
  const type = TYPES[extname(path)];
  const names = path.split('/');
  if (type === undefined || !names.every((name) => /^[\w-][\w.-]*$/.test(name))) return false;
  const folder = dirname(page.module);
  try {
    // A link may point outside the folder.
    const file = await realpath(join(folder, ...names));
    if (!file.startsWith(`${await realpath(folder)}${sep}`)) return false;
    const content = await readFile(file);
    const tag = entityTag(content);
    void reply.header('cache-control', 'no-cache').header('etag', tag).type(type);
    if (noneMatchHolds(request.headers['if-none-match'], tag)) await reply.send(content);
    else await reply.code(304).send();
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
