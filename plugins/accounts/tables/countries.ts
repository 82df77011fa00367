/** Facts of each country, from `data/countries.json`, and the list of countries. */
import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import { postcodeValidatorExistsForCountry } from 'postcode-validator';
import rows from '../data/countries.json' with { type: 'json' };

export interface CountryRow {
  readonly currencies?: readonly string[];
  readonly entity_types?: readonly string[];
  readonly structures?: Readonly<Record<string, readonly string[]>>;
  readonly states?: Readonly<Record<string, string>>;
  readonly unsupported_states?: readonly string[];
  readonly unsupported_postal_codes?: readonly { readonly from: string; readonly to: string }[];
  readonly min_age?: number;
  readonly custom_accounts?: boolean;
}

// The package's entry would load the names of all countries too.
const known: ReadonlySet<string> = new Set(codes.map(([alpha2]) => String(alpha2)));
const table: ReadonlyMap<string, CountryRow> = new Map(Object.entries(rows as Record<string, CountryRow>));

/** All countries, as two capitals. */
export const COUNTRIES: readonly string[] = [...known];

/** Countries by name in a language, with their codes. */
export function countryNames(lang: string, some: readonly string[]): [string, string][] {
  const { compare } = new Intl.Collator(lang);
  return some
    .map((code): [string, string] => [code, countryName(lang, code)])
    .toSorted(([, a], [, b]) => compare(a, b));
}

export function countryName(lang: string, code: string): string {
  return new Intl.DisplayNames(lang, { type: 'region' }).of(code) ?? code;
}

/** Whether the country has postal codes of a known form. */
export function postalCodes(country: string): boolean {
  return postcodeValidatorExistsForCountry(country);
}

/** `country` in capitals. A country without a row has no own rules. */
export function countryRow(country: string): CountryRow {
  return table.get(country) ?? {};
}

export function isCountry(country: string): boolean {
  return known.has(country.toUpperCase());
}

/** The code of a state given by code or name; undefined if the country has no such state. */
export function stateCode(country: string, state: string): string | undefined {
  const wanted = plain(state);
  return Object.entries(countryRow(country).states ?? {}).find(
    ([code, name]) => plain(code) === wanted || plain(name) === wanted,
  )?.[0];
}

/** Without case and accents: Québec equals QUEBEC. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
