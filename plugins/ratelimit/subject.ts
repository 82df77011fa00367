/** Whose requests count together. */
import { addressGroup, principalId, type Principal } from 'plugboard/sdk';

export interface Subject {
  /** Unique among all subjects. */
  readonly id: string;
  readonly kind: 'user' | 'app' | 'key' | 'address';
  /** In refusals. */
  readonly label: string;
  /** Of an API key: the names that the config may use for its own limits. */
  readonly names: readonly string[];
}

const NO_NAMES: readonly string[] = [];

/** Between a publishable key and the address. */
export const AT = '@';

/**
 * All tokens of a user share one count, and so do all unauthenticated requests from one address. Everybody may have a
 * publishable key, so its requests count by address: one of its users cannot lock out the others.
 */
export function subjectOf(principal: Principal, address: string): Subject {
  switch (principal.kind) {
    case 'key': {
      const { id, name, publishable } = principal;
      const from = publishable === true ? `${AT}${addressGroup(address)}` : '';
      return { id: `key:${id}${from}`, kind: 'key', label: `API key "${name}"`, names: [id, name] };
    }
    case 'person':
      return subject(principal, 'user', principal.id);
    case 'user':
      return subject(principal, 'user', `user ID ${principal.user.id}`);
    case 'app':
      return subject(principal, 'app', `application ${principal.app.clientId}`);
    case 'session':
      return subject(principal, 'user', 'this session');
    case 'plugin':
      return subject(principal, 'user', `the plugin ${principal.id}`);
    case 'anonymous':
      return addressSubject(address);
  }
}

export function addressSubject(address: string): Subject {
  return { id: `address:${addressGroup(address)}`, kind: 'address', label: address, names: NO_NAMES };
}

function subject(principal: Principal, kind: Subject['kind'], label: string): Subject {
  return { id: principalId(principal), kind, label, names: NO_NAMES };
}
