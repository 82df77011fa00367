/** Which scopes a new key may have: existing ones that its maker has. */
import { type Principal, type Scopes, suggest } from 'plugboard/sdk';
import { errors } from '../errors.js';
import { ALL, allows, MANAGE } from '../allows.js';
import { OWNER_PATTERN } from './owner.js';
import { isNetwork } from './addresses.js';
import type { NewApiKey } from './api-keys.js';

/** The scopes that the config grants without a key. */
interface GrantingConfig {
  readonly issuers: readonly {
    readonly name: string;
    readonly roles: Readonly<Record<string, readonly string[]>>;
  }[];
  readonly anonymous: { readonly scopes: readonly string[] };
  readonly memberScopes: readonly string[];
}

const TENANT = new RegExp(OWNER_PATTERN);

export class Grant {
  readonly #known: readonly string[];

  constructor(scopes: Scopes) {
    this.#known = [...scopes.map(({ name }) => name), ALL];
  }

  /** Throws for a granted scope that no enabled plugin declares. */
  checkConfig({ issuers, anonymous, memberScopes }: GrantingConfig): void {
    for (const { name, roles } of issuers)
      for (const [role, granted] of Object.entries(roles))
        this.#checkAt(`issuers.${name}.roles.${role}`, granted);
    this.#checkAt('anonymous.scopes', anonymous.scopes);
    this.#checkAt('memberScopes', memberScopes);
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

  /** Throws for an invalid tenant or address, and for a publishable key that would open the management. */
  checkForm({
    scopes,
    owner = null,
    addresses = [],
    publishable = false,
  }: Pick<NewApiKey, 'scopes' | 'owner' | 'addresses' | 'publishable'>): void {
    if (owner !== null && !TENANT.test(owner))
      throw errors.owner_unreadable({ values: { owner }, param: 'owner' });
    const bad = addresses.findIndex((address) => !isNetwork(address));
    if (bad !== -1)
      throw errors.address_unreadable({ values: { address: addresses[bad] }, param: `addresses.${bad}` });
    const at = publishable ? scopes.findIndex((scope) => scope === MANAGE || scope === ALL) : -1;
    if (at !== -1) throw errors.not_publishable({ values: { scope: scopes[at] }, param: `scopes.${at}` });
  }

  /** Throws `scope_not_held` for the first scope that `maker` lacks: nobody grants more than they have. */
  checkHeld(wanted: readonly string[], maker: Principal): void {
    const at = wanted.findIndex((scope) => !allows(maker, scope));
    const scope = wanted[at];
    if (scope !== undefined) throw errors.scope_not_held({ values: { scope }, param: `scopes.${at}` });
  }

  #checkAt(place: string, wanted: readonly string[]): void {
    try {
      this.checkKnown(wanted);
    } catch (error) {
      throw new Error(`${place}: ${(error as Error).message}`, { cause: error });
    }
  }
}
