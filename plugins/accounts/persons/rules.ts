/** Rules on a person's roles in the account. Pure; the first refusal decides. */
import { isIP } from 'node:net';
import type { AccountState, PersonRole, PersonSummary } from '../account/state.js';
import type { Refusal } from '../errors/errors.js';
import type { Platform } from '../platform/platforms.js';
import { MOST_PERSONS } from './store.js';
import type { PersonData } from './person.js';
import type { PersonBody } from './schema.js';

export interface PersonAttempt {
  readonly operation: 'create' | 'update';
  readonly platform: Platform;
  readonly account: AccountState;
  readonly body: PersonBody;
  readonly byToken: boolean;
  readonly after: PersonData;
  /** The other persons of the account. */
  readonly others: readonly PersonSummary[];
}

type PersonRule = (attempt: PersonAttempt) => Refusal | undefined;

const tokenRequired: PersonRule = ({ platform, byToken }) =>
  !byToken && platform.settings.token_mandated_countries.includes(platform.settings.country)
    ? {
        code: 'person_token_required',
        message: `person_token is required: platforms in ${platform.settings.country} send persons by token`,
      }
    : undefined;

const tooMany: PersonRule = ({ operation, others }) =>
  operation === 'create' && others.length >= MOST_PERSONS
    ? { code: 'invalid_fields', message: `an account has at most ${MOST_PERSONS} persons` }
    : undefined;

const ofIndividual: PersonRule = ({ account, after }) =>
  account.identity?.entity_type === 'individual' && after.relationship?.legal_guardian !== true
    ? {
        code: 'individual_additional_person_not_allowed',
        message:
          'relationship.legal_guardian must be true: an account of an individual has no other persons, identity.individual is the person',
      }
    : undefined;

/** Entities and structures without owners. */
const OWNERLESS = new Set([
  'non_profit',
  'government_entity',
  'governmental_unit',
  'government_instrumentality',
  'tax_exempt_government_instrumentality',
  'incorporated_non_profit',
  'unincorporated_non_profit',
  'registered_charity',
]);

const ownerOfNothing: PersonRule = ({ account, after }) => {
  const { entity_type: type = '', business_details: business } = account.identity ?? {};
  const ownerless = [type, business?.structure ?? ''].find((one) => OWNERLESS.has(one));
  return after.relationship?.owner === true && ownerless !== undefined
    ? {
        code: 'invalid_relationship_for_identity_type_structure_and_country',
        message: `relationship.owner cannot be true: nobody owns an account of type ${ownerless}`,
      }
    : undefined;
};

/** Roles that only one person may have. */
const ALONE = [
  ['representative', 'additional_representative_not_allowed'],
  ['legal_guardian', 'additional_legal_guardian_not_allowed'],
  ['authorizer', 'authorizer_duplicate'],
] as const;

const taken: PersonRule = ({ after, others }) => {
  for (const [role, code] of ALONE) {
    const holder = after.relationship?.[role] === true ? holderOf(role, others) : undefined;
    if (holder !== undefined)
      return { code, message: `relationship.${role} is true of the person "${holder.id}" already` };
  }
  return undefined;
};

const incompatible: PersonRule = ({ account, after, others }) => {
  const { representative, authorizer, legal_guardian: guardian } = after.relationship ?? {};
  if (representative === true && authorizer === true)
    return {
      code: 'authorizer_relationship_invalid_for_representative',
      message: 'relationship.authorizer and relationship.representative cannot both be true',
    };
  if (guardian !== true) return undefined;
  if (representative === true)
    return {
      code: 'legal_guardian_representative_not_allowed',
      message: 'relationship.legal_guardian and relationship.representative cannot both be true',
    };
  const represented =
    account.identity?.entity_type === 'individual' || holderOf('representative', others) !== undefined;
  return represented
    ? undefined
    : {
        code: 'legal_guardian_requires_existing_representative',
        message: 'relationship.legal_guardian needs a representative, whose guardian this is',
      };
};

const termsOfService: PersonRule = ({ body, after }) => {
  const accepted = body.additional_terms_of_service?.account;
  if (accepted == null) return undefined;
  if (after.relationship?.legal_guardian !== true)
    return {
      code: 'additional_tos_only_allowed_for_legal_guardian',
      message: 'additional_terms_of_service is for a person with relationship.legal_guardian alone',
    };
  return isIP(accepted.ip) === 0
    ? { code: 'ip_address_invalid', message: 'additional_terms_of_service.account.ip is not an IP address' }
    : undefined;
};

const countries: PersonRule = ({ after }) => {
  const { kana, kanji } = after.script_addresses ?? {};
  const places = [
    ['address', after.address],
    ['script_addresses.kana', kana],
    ['script_addresses.kanji', kanji],
  ] as const;
  const without = places.find(
    ([, address]) => address !== undefined && Object.keys(address).length > 0 && !address.country,
  );
  return without === undefined
    ? undefined
    : { code: 'address_country_required', message: `${without[0]}.country is required` };
};

function holderOf(role: PersonRole, persons: readonly PersonSummary[]): PersonSummary | undefined {
  return persons.find(({ roles }) => roles.includes(role));
}

export const PERSON_RULES: readonly PersonRule[] = [
  tokenRequired,
  tooMany,
  ofIndividual,
  ownerOfNothing,
  taken,
  incompatible,
  termsOfService,
  countries,
];
