/** Where the TypeScript compiler puts a file, for the message that tells a newcomer to name the output. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** By the nearest `tsconfig.json`; next to its source if that is missing, cannot be read or has no `outDir`. */
export function compiledFile(source: string): string {
  const beside = source.replace(/\.([cm]?)tsx?$/, '.$1js');
  for (let folder = dirname(source); ; folder = dirname(folder)) {
    const file = join(folder, 'tsconfig.json');
    if (existsSync(file)) return placeUnder(folder, file, beside);
    if (folder === dirname(folder)) return beside;
  }
}

function placeUnder(folder: string, file: string, beside: string): string {
  const { outDir, rootDir } = compilerOptions(file);
  if (outDir === undefined) return beside;
  const path = relative(resolve(folder, rootDir ?? '.'), beside);
  // Without `rootDir` it is the folder that all sources share, most often `src`.
  const [, inner = path] = /^src\/(.+)$/.exec(path) ?? [];
  const places = [path, ...(rootDir === undefined ? [inner] : [])].map((one) => resolve(folder, outDir, one));
  return places.find((one) => existsSync(one)) ?? places.at(-1) ?? beside;
}

function compilerOptions(file: string): { readonly outDir?: string; readonly rootDir?: string } {
  try {
    const { compilerOptions = {} } = JSON.parse(withoutComments(readFileSync(file, 'utf8'))) as {
      compilerOptions?: object;
    };
    return compilerOptions;
  } catch {
    return {};
  }
}

/** Comments as `tsc --init` writes them, and commas before a closing bracket. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/^[ \t]*\/\/.*$/gm, '')
    .replaceAll(/\/\*[^*\n]*\*\//g, '')
    .replaceAll(/,(?=\s*[}\]])/g, '');
}
