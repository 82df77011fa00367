/** Files of the project below a folder. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Paths from the folder on. Installed packages are left out: a link in them leads back to the whole project. */
export function filesBelow(folder: string, within = ''): string[] {
  return readdirSync(join(folder, within), { withFileTypes: true }).flatMap((entry) => {
    const path = join(within, entry.name);
    if (!entry.isDirectory()) return [path];
    return entry.name === 'node_modules' ? [] : filesBelow(folder, path);
  });
}
