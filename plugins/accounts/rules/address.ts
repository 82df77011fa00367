/** Rules on all addresses. */
import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';
import type { AccountState } from '../account/state.js';
import type { Refusal } from '../errors/errors.js';
import type { AccountBody } from '../schema/bodies.js';
import { countryOf, type Attempt, type Rule } from './attempt.js';
import { countryRow, isCountry, stateCode } from '../tables/countries.js';
import { hasCharacters } from './script.js';

interface Address {
  readonly country?: string | null | undefined;
  readonly line1?: string | null | undefined;
  readonly line2?: string | null | undefined;
  readonly city?: string | null | undefined;
  readonly state?: string | null | undefined;
  readonly postal_code?: string | null | undefined;
  readonly town?: string | null | undefined;
}

interface Placed {
  /** The parameter. */
  readonly path: string;
  readonly address: Address;
  readonly script: 'kana' | 'kanji' | undefined;
  /** Whether its country must be that of the identity. */
  readonly residence: boolean;
}

/** The addresses in the request, after the merge. */
function sentAddresses({ body, after }: Attempt): Placed[] {
  const paths = new Set(addressesOf(body, undefined).map(({ path }) => path));
  if (paths.size === 0) return [];
  return addressesOf(after, after.identity?.entity_type).filter(({ path }) => paths.has(path));
}

function addressesOf(of: AccountBody | AccountState, type: string | undefined): Placed[] {
  const found: Placed[] = [];
  const add = (path: string, address: Address | null | undefined, rest: Partial<Placed> = {}): void => {
    if (address != null) found.push({ path, address, script: undefined, residence: false, ...rest });
  };
  const { business_details: business, individual } = of.identity ?? {};
  for (const [name, owner] of [
    ['business_details', business],
    ['individual', individual],
  ] as const) {
    const path = `identity.${name}`;
    const residence = name === 'business_details' || type === 'individual';
    add(`${path}.address`, owner?.address, { residence });
    for (const [at, one] of (owner?.additional_addresses ?? []).entries())
      add(`${path}.additional_addresses.${at}`, one);
    for (const script of ['kana', 'kanji'] as const)
      add(`${path}.script_addresses.${script}`, owner?.script_addresses?.[script], { script });
  }
  add('configuration.customer.shipping.address', of.configuration?.customer?.shipping?.address);
  add('configuration.merchant.support.address', of.configuration?.merchant?.support?.address);
  return found;
}

type AddressRule = (placed: Placed, country: string, attempt: Attempt) => Refusal | undefined;

const unknownCountry: AddressRule = ({ path }, country) =>
  country === '' || isCountry(country)
    ? undefined
    : { code: 'invalid_fields', message: `${path}.country "${country}" is not a country of ISO 3166-1` };

const foreignScript: AddressRule = ({ path, script }, country) =>
  script !== undefined && country !== '' && country !== 'JP'
    ? { code: 'non_jp_kana_kanji_address', message: `${path}.country must be JP` }
    : undefined;

const otherCountry: AddressRule = ({ path, residence }, country, attempt) => {
  const home = countryOf(attempt);
  return residence && country !== '' && home !== undefined && home !== country
    ? {
        code: 'address_country_identity_country_mismatch',
        message: `${path}.country "${country}" is not identity.country "${home}"`,
      }
    : undefined;
};

const LINES = ['line1', 'line2', 'city', 'state', 'postal_code', 'town'] as const;

/** Control characters, pictographs, and signs that addresses do not have. */
const UNFIT = /[\p{Cc}\p{Extended_Pictographic}<>{}|\\^~]/u;
const ASCII = /^[\x20-\x7e]*$/;

const characters: AddressRule = ({ path, address, script }, country) => {
  const line = LINES.find((name) => {
    const text = address[name];
    return (
      text != null &&
      (UNFIT.test(text) ||
        (script === undefined && country === 'JP' && name !== 'state' && !ASCII.test(text)))
    );
  });
  if (line !== undefined)
    return {
      code: 'address_characters_invalid',
      message: `${path}.${line} has characters that addresses do not have`,
    };
  const misfit =
    script &&
    LINES.find(
      (name) => name !== 'postal_code' && address[name] != null && !hasCharacters(script, address[name]),
    );
  return misfit === undefined
    ? undefined
    : {
        code: 'script_characters_invalid',
        message: `${path}.${misfit} has characters that are not ${script}`,
      };
};

const missingPostalCode: AddressRule = ({ path, address }, country) =>
  country === 'JP' && !address.postal_code && LINES.some((name) => address[name] != null)
    ? { code: 'postal_code_required_for_jp_address', message: `${path}.postal_code is required in JP` }
    : undefined;

/** Longer ones do not exist; the limit protects the patterns. */
const MAX_POSTAL_CODE = 20;

const postalCode: AddressRule = ({ path, address: { postal_code: text } }, country) => {
  if (!text || country === '') return undefined;
  const valid =
    text.length <= MAX_POSTAL_CODE &&
    (!postcodeValidatorExistsForCountry(country) || postcodeValidator(written(text, country), country));
  if (!valid)
    return {
      code: 'address_postal_code_invalid',
      message: `${path}.postal_code does not have the form of a postal code in ${country}`,
    };
  const digits = text.trim().slice(0, 5);
  return countryRow(country).unsupported_postal_codes?.some(({ from, to }) => digits >= from && digits <= to)
    ? { code: 'unsupported_postal_code', message: `${path}.postal_code lies in an area that is not served` }
    : undefined;
};

/** In the form of the library's patterns: capitals, and in Japan a dash after the third digit. */
function written(text: string, country: string): string {
  const code = text.trim().toUpperCase();
  return country === 'JP' && /^[0-9]{7}$/.test(code) ? `${code.slice(0, 3)}-${code.slice(3)}` : code;
}

const state: AddressRule = ({ path, address: { state: given } }, country) => {
  const row = countryRow(country);
  if (!given || row.states === undefined) return undefined;
  const code = stateCode(country, given);
  if (code === undefined)
    return { code: 'address_state_invalid', message: `${path}.state is not a state of ${country}` };
  return row.unsupported_states?.includes(code)
    ? { code: 'unsupported_state', message: `${path}.state "${code}" is not served` }
    : undefined;
};

const MAX_TOWN = 100;

const town: AddressRule = ({ path, address: { town: given } }, country) => {
  if (given == null) return undefined;
  const reason =
    country !== '' && country !== 'JP'
      ? 'is for addresses in JP alone'
      : given.trim() === ''
        ? 'must not be blank'
        : given.length > MAX_TOWN
          ? `must not be longer than ${MAX_TOWN} characters`
          : undefined;
  return reason === undefined
    ? undefined
    : { code: 'address_town_invalid', message: `${path}.town ${reason}` };
};

const RULES: readonly AddressRule[] = [
  unknownCountry,
  foreignScript,
  otherCountry,
  characters,
  missingPostalCode,
  postalCode,
  state,
  town,
];

/** All rules on one address before the next address. */
const addresses: Rule = (attempt) => {
  for (const placed of sentAddresses(attempt)) {
    const country = placed.address.country?.toUpperCase() ?? '';
    for (const rule of RULES) {
      const refusal = rule(placed, country, attempt);
      if (refusal !== undefined) return refusal;
    }
  }
  return undefined;
};

/** An identity's country that no longer matches its stored address. */
const movedAway: Rule = (attempt) => {
  const home = countryOf(attempt);
  if (attempt.body.identity?.country == null || home === undefined) return undefined;
  const left = addressesOf(attempt.after, attempt.after.identity?.entity_type).find(
    ({ residence, address }) =>
      residence && address.country != null && address.country.toUpperCase() !== home,
  );
  return left === undefined
    ? undefined
    : {
        code: 'address_country_identity_country_mismatch',
        message: `${left.path}.country "${left.address.country}" is not identity.country "${home}"`,
      };
};

export const addressRules: readonly Rule[] = [addresses, movedAway];
