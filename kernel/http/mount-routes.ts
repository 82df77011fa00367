/** Runs a plugin's routes in its scope, and says what to do about a route that is there twice. */
import { UserError } from '../sdk/command.js';
import type { Contribution } from '../sdk/plugin.js';
import type { Routes } from '../sdk/routes.js';
import type { TokenMap } from '../sdk/token.js';

export async function mountRoutes(
  routes: NonNullable<Contribution<TokenMap>['routes']>,
  scope: Routes,
): Promise<void> {
  try {
    await routes(scope);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'FST_ERR_DUPLICATED_ROUTE') throw error;
    const hint = 'another plugin, or another instance of this one, has it: set a "prefix" for one of them';
    throw new UserError(`${message}; ${hint}`, { cause: error });
  }
}
