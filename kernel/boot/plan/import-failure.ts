/** Why a plugin's module cannot be imported, in a sentence that says where to look. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiledFile } from './compiled-file.js';

export interface ImportFailure {
  /** As in the config. */
  readonly use: string;
  readonly url: string;
  /** Paths are shown relative to this: the folder of the config file. */
  readonly baseDir: string;
  readonly error: unknown;
}

export function explainImport({ use, url, baseDir, error }: ImportFailure): string {
  const file = fileURLToPath(url);
  if (!existsSync(file))
    return `there is no file for "${use}"; a path is relative to the folder of the config file`;
  if (statSync(file).isDirectory()) {
    const index = ['dist/index.js', 'index.js', 'index.mjs'].find((name) => existsSync(join(file, name)));
    return `"${use}" is a folder; name a file, e.g. use: ${use.replace(/\/$/, '')}/${index ?? 'dist/index.js'}`;
  }
  const advice = adviceOn({ use, url, baseDir, error });
  if (advice !== undefined) return `importing "${use}" failed: ${advice}`;
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const place = placeIn(stack) ?? (error instanceof SyntaxError ? placeOfSyntaxError(url) : undefined);
  const at = place === undefined ? '' : ` (${relative(baseDir, place.file)}:${place.line})`;
  return `importing "${use}" failed: ${relativeImporter(message, baseDir)}${at}`;
}

/** What to do about common failures whose own messages do not say. */
function adviceOn({ use, url, baseDir, error }: ImportFailure): string | undefined {
  const { code, message = '' } = error as NodeJS.ErrnoException;
  const isTypeScript = /\.[cm]?tsx?$/.test(url);
  if (
    isTypeScript &&
    (code === 'ERR_UNKNOWN_FILE_EXTENSION' || code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
  ) {
    const compiled = compiledFile(fileURLToPath(url));
    const seen = relative(baseDir, compiled);
    const path = isAbsolute(use) ? compiled : seen.startsWith('..') ? seen : `./${seen}`;
    return `this Node cannot run its TypeScript; compile it (npx tsc) and say use: ${path}`;
  }
  if (code === 'ERR_MODULE_NOT_FOUND' && message.startsWith("Cannot find package 'plugboard'")) {
    const folder = dirname(fileURLToPath(url));
    return `it imports "plugboard", which is not installed there; run npm install plugboard in ${folder}`;
  }
  return undefined;
}

interface Place {
  readonly file: string;
  readonly line: string;
}

/** Where the server's own modules and their bundle are. */
const OWN = ['kernel', 'server', 'tools'].map((name) => join(import.meta.dirname, '../../..', name, '/'));

/** The first file that a stack, or what Node prints of an error, names. */
function placeIn(text: string): Place | undefined {
  for (const [place] of text.matchAll(/file:\/\/\/[^\s()]+/g)) {
    const [, url, line] = /^(.+?):(\d+)/.exec(place.slice('file:'.length)) ?? [];
    if (url === undefined || line === undefined) continue;
    const file = fileURLToPath(`file:${url}`);
    return OWN.some((folder) => file.startsWith(folder)) ? undefined : { file, line };
  }
  return undefined;
}

/**
 * Node prints the line of a syntax error only when the error ends a process, so one is started for it. Nothing
 * of the module runs there: it does not parse.
 */
function placeOfSyntaxError(url: string): Place | undefined {
  const program = ['--input-type=module', '--eval', `import ${JSON.stringify(url)}`];
  return placeIn(spawnSync(process.execPath, program, { encoding: 'utf8' }).stderr);
}

/** `Cannot find package 'x' imported from /absolute/path`, whose path is long and known. */
function relativeImporter(message: string, baseDir: string): string {
  return message.replace(
    / imported from (.+)/,
    (_, file: string) => ` imported from ${relative(baseDir, file)}`,
  );
}
