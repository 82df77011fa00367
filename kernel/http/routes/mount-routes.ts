/** Mounts a plugin's routes in its scope; the error for a duplicate names the plugin that already has the route. */
import { UserError } from '../../sdk/plugin/command.js';
import type { Contribution } from '../../sdk/plugin/plugin.js';
import type { Routes } from '../../sdk/http/routes.js';
import type { TokenMap } from '../../sdk/plugin/token.js';
import type { MountedRoute } from './route-table.js';

/** `mounted`: all routes so far, which grows as the plugin mounts its own. */
export async function mountRoutes(
  routes: NonNullable<Contribution<TokenMap>['routes']>,
  scope: Routes,
  mounted: readonly MountedRoute[],
): Promise<void> {
  try {
    await routes(scope);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'FST_ERR_DUPLICATED_ROUTE') throw error;
    throw new UserError(duplicateText(mounted) ?? (error as Error).message, { cause: error });
  }
}

/** The last route was refused: routes are listed before they are mounted. */
function duplicateText(mounted: readonly MountedRoute[]): string | undefined {
  for (const [at, second] of [...mounted.entries()].toReversed()) {
    const first = mounted.slice(0, at).find((one) => isSame(one, second));
    if (first === undefined) continue;
    const { method, path, owner } = second;
    const as = first.path === path ? '' : ` as ${method} ${first.path}`;
    return first.owner === owner
      ? `${method} ${path} is mounted twice by this plugin${as}`
      : `${method} ${path} is mounted by plugin "${first.owner}"${as}; set a "prefix" for one of them`;
  }
  const last = mounted.at(-1);
  return last && `${last.method} ${last.path} is a route of the server; give the plugin's another path`;
}

/** Routes that differ only in parameter names are the same. */
function isSame(one: MountedRoute, other: MountedRoute): boolean {
  return one.method === other.method && shapeOf(one.path) === shapeOf(other.path);
}

function shapeOf(path: string): string {
  return path.replaceAll(/:[^/.(-]+/g, ':');
}
