/** Where a customer is taxed. */
import type { AccountState } from './state.js';

export interface TaxLocation {
  readonly country: string | undefined;
  readonly state: string | undefined;
  /** Missing parameters without which there is no location. */
  readonly missing: readonly string[];
}

interface Source {
  readonly path: string;
  readonly country?: string | undefined;
  readonly state?: string | undefined;
  readonly postal_code?: string | undefined;
}

/** By the source that the customer names; in the United States a state or a postal code is required too. */
export function taxLocationOf(state: AccountState): TaxLocation {
  const source = sourceOf(state);
  const { country, postal_code } = source;
  const missing: string[] = [];
  if (country === undefined) missing.push(`${source.path}.country`);
  else if (country.toUpperCase() === 'US' && source.state === undefined && postal_code === undefined)
    missing.push(`${source.path}.postal_code`);
  return { country, state: source.state, missing };
}

function sourceOf(state: AccountState): Source {
  const tax = state.configuration.customer?.automatic_indirect_tax;
  switch (tax?.location_source) {
    case 'shipping_address':
      return {
        path: 'configuration.customer.shipping.address',
        ...state.configuration.customer?.shipping?.address,
      };
    // Locating either needs an external service: the account's country is used instead.
    case 'ip_address':
    case 'payment_method':
      return { path: 'identity', country: state.identity?.country, postal_code: '' };
    default: {
      const { business_details: business, individual, country, entity_type: type } = state.identity ?? {};
      const owner =
        type === 'individual' || (business === undefined && individual) ? 'individual' : 'business_details';
      const address = owner === 'individual' ? individual?.address : business?.address;
      return { path: `identity.${owner}.address`, country, ...address };
    }
  }
}
