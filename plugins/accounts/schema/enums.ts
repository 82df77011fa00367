/** The closed lists of the API; see `data/README.md`. */
import enums from '../data/enums.json' with { type: 'json' };

export const MERCHANT_CAPABILITIES: readonly string[] = enums.merchant_capabilities;
export const BANK_ACCOUNT_CAPABILITIES: readonly string[] = enums.bank_account_capabilities;
export const STRUCTURES: readonly string[] = enums.structures;
export const BUSINESS_ID_TYPES: readonly string[] = enums.business_id_types;
export const INDIVIDUAL_ID_TYPES: readonly string[] = enums.individual_id_types;
export const LOCALES: readonly string[] = enums.locales;

export const CONFIGURATIONS = ['customer', 'merchant', 'recipient'] as const;
export type ConfigurationName = (typeof CONFIGURATIONS)[number];

export const ENTITY_TYPES = ['company', 'government_entity', 'individual', 'non_profit'] as const;

export type EntityType = (typeof ENTITY_TYPES)[number];

export const DASHBOARDS = ['express', 'full', 'none'] as const;

export const INCLUDES = [
  'configuration.customer',
  'configuration.merchant',
  'configuration.recipient',
  'defaults',
  'future_requirements',
  'identity',
  'requirements',
] as const;
export type Include = (typeof INCLUDES)[number];
