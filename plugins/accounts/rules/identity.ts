/** Rules on the account's identity: country, entity type, structure, and what may change later. */
import { isIP } from 'node:net';
import type { Refusal } from '../errors/errors.js';
import { addsConnected, countryOf, type Attempt, type Rule } from './attempt.js';
import { countryRow, isCountry } from '../tables/countries.js';
import { hasCharacters } from './script.js';

const unknownCountry: Rule = ({ body }) => {
  const { country } = body.identity ?? {};
  if (country != null && !isCountry(country))
    return {
      code: 'invalid_fields',
      message: `identity.country "${country}" is not a country of ISO 3166-1`,
    };
  const nationality = body.identity?.individual?.nationalities?.find((one) => !isCountry(one));
  return nationality === undefined
    ? undefined
    : {
        code: 'invalid_fields',
        message: `identity.individual.nationalities names "${nationality}", which is not a country of ISO 3166-1`,
      };
};

const countryRequired: Rule = (attempt) => {
  if (countryOf(attempt) !== undefined) return undefined;
  const { business_details: business, individual } = attempt.body.identity ?? {};
  const needs =
    business?.structure != null
      ? 'identity.business_details.structure'
      : business?.id_numbers != null
        ? 'identity.business_details.id_numbers'
        : individual?.id_numbers != null
          ? 'identity.individual.id_numbers'
          : addsConnected(attempt) ||
              (attempt.controller !== undefined && attempt.body.identity !== undefined)
            ? `configuration.${attempt.applied.find((name) => name !== 'customer')}`
            : undefined;
  return needs === undefined
    ? undefined
    : { code: 'identity_country_required', message: `identity.country is required for ${needs}` };
};

const declarationsAtCreation: Rule = ({ operation, body }) => {
  if (operation !== 'create') return undefined;
  const { directorship_declaration, ownership_declaration } = body.identity?.attestations ?? {};
  if (directorship_declaration != null)
    return {
      code: 'directorship_declaration_not_allowed_during_account_creation',
      message:
        'identity.attestations.directorship_declaration cannot be sent for a new account: update it instead',
    };
  return ownership_declaration != null
    ? {
        code: 'ownership_declaration_not_allowed_during_account_creation',
        message:
          'identity.attestations.ownership_declaration cannot be sent for a new account: update it instead',
      }
    : undefined;
};

const immutable: Rule = ({ before, after, controllerBefore }) => {
  const changed = (was: string | undefined, is: string | undefined): boolean =>
    was !== undefined && was.toLowerCase() !== is?.toLowerCase();
  if (controllerBefore !== undefined && changed(before.identity?.country, after.identity?.country))
    return immutableParam('identity.country', 'a merchant or recipient is applied');
  if (before.activated_at === undefined) return undefined;
  const [was, is] = [before.identity, after.identity];
  if (changed(was?.entity_type, is?.entity_type)) return immutableParam('identity.entity_type', ACTIVATION);
  if (changed(was?.business_details?.structure, is?.business_details?.structure))
    return immutableParam('identity.business_details.structure', ACTIVATION);
  return changed(was?.business_details?.registered_name, is?.business_details?.registered_name)
    ? immutableParam('identity.business_details.registered_name', ACTIVATION)
    : undefined;
};

const ACTIVATION = 'a capability has been active';

function immutableParam(name: string, since: string): Refusal {
  return { code: 'immutable_identity_param', message: `${name} cannot be changed once ${since}` };
}

/** Type and structure are judged together whenever one of the three is sent. */
const entityType: Rule = (attempt) => {
  const country = countryOf(attempt);
  const { entity_type: type } = attempt.after.identity ?? {};
  if (country === undefined || type === undefined || !touches(attempt)) return undefined;
  const { entity_types: types } = countryRow(country);
  return types === undefined || types.includes(type)
    ? undefined
    : {
        code: 'entity_type_not_supported_in_country',
        message: `identity.entity_type "${type}" does not exist in ${country}; it has ${types.join(', ')}`,
      };
};

const structure: Rule = (attempt) => {
  const country = countryOf(attempt);
  const { entity_type: type, business_details } = attempt.after.identity ?? {};
  const given = business_details?.structure;
  if (country === undefined || type === undefined || given === undefined || !touches(attempt))
    return undefined;
  const structures = type === 'individual' ? ['sole_proprietorship'] : countryRow(country).structures?.[type];
  return structures === undefined || structures.includes(given)
    ? undefined
    : {
        code: 'structure_incompatible_for_entity_type_country',
        message: `identity.business_details.structure "${given}" is not possible for ${type} in ${country}`,
      };
};

function touches({ body: { identity } }: Attempt): boolean {
  return (
    identity?.country != null ||
    identity?.entity_type != null ||
    identity?.business_details?.structure != null
  );
}

const addressesOfAttestations: Rule = ({ body }) => {
  const { terms_of_service, ...declarations } = body.identity?.attestations ?? {};
  const places: [string, string | null | undefined][] = [
    ...(['directorship_declaration', 'ownership_declaration', 'representative_declaration'] as const).map(
      (name): [string, string | null | undefined] => [
        `identity.attestations.${name}.ip`,
        declarations[name]?.ip,
      ],
    ),
    ['identity.attestations.terms_of_service.account.ip', terms_of_service?.account?.ip],
    [
      'configuration.customer.automatic_indirect_tax.ip_address',
      body.configuration?.customer?.automatic_indirect_tax?.ip_address,
    ],
  ];
  const wrong = places.find(([, ip]) => ip != null && isIP(ip) === 0);
  return wrong === undefined
    ? undefined
    : { code: 'ip_address_invalid', message: `${wrong[0]} is not an IP address` };
};

const scriptNames: Rule = ({ body }) => {
  for (const [owner, names] of [
    ['business_details', body.identity?.business_details?.script_names],
    ['individual', body.identity?.individual?.script_names],
  ] as const) {
    for (const script of ['kana', 'kanji'] as const) {
      const wrong = Object.entries(names?.[script] ?? {}).find(
        ([, text]) => typeof text === 'string' && !hasCharacters(script, text),
      );
      if (wrong !== undefined)
        return {
          code: 'script_characters_invalid',
          message: `identity.${owner}.script_names.${script}.${wrong[0]} has characters that are not ${script}`,
        };
    }
  }
  return undefined;
};

export const identityRules: readonly Rule[] = [
  unknownCountry,
  countryRequired,
  immutable,
  entityType,
  structure,
  declarationsAtCreation,
];

/** After the addresses. */
export const attestationRules: readonly Rule[] = [scriptNames, addressesOfAttestations];
