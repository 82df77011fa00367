/** Which scopes a new key may have: those that exist, and of them those that its maker holds. */
import { suggest } from '../../../config/suggest.js';
import type { Principal } from '../../../sdk/auth.js';
import type { Scopes } from '../../../sdk/scopes.js';
import { errors } from '../errors.js';
import { allows } from '../allows.js';

/** Holds all scopes, also those of plugins that are enabled later. */
export const ALL = '*';

export class Grant {
  readonly #known: readonly string[];

  constructor(scopes: Scopes) {
    this.#known = [...scopes.map(({ name }) => name), ALL];
  }

  /** Throws `unknown_scope` for the first scope that no enabled plugin declares. */
  checkKnown(wanted: readonly string[]): void {
    const at = wanted.findIndex((scope) => !this.#known.includes(scope));
    const scope = wanted[at];
    if (scope === undefined) return;
    const near = suggest(scope, this.#known);
    const hint = near === undefined ? '' : `; did you mean "${near}"?`;
    throw errors.unknown_scope({
      values: { scope, hint, known: this.#known.join(', ') },
      param: `scopes.${at}`,
    });
  }

  /** Throws `scope_not_held` for the first scope that `maker` does not hold: nobody gives away more than they have. */
  checkHeld(wanted: readonly string[], maker: Principal): void {
    const at = wanted.findIndex((scope) => !allows(maker, scope));
    const scope = wanted[at];
    if (scope !== undefined) throw errors.scope_not_held({ values: { scope }, param: `scopes.${at}` });
  }
}
