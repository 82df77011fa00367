/** Rules on the defaults: currency, time zone, web address, payout methods. */
import { countryOf, type Rule } from './attempt.js';
import { countryRow } from '../tables/countries.js';
import { isPublicUrl } from './contact.js';

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const currency: Rule = (attempt) => {
  const given = attempt.body.defaults?.currency;
  if (given == null) return undefined;
  const code = given.toLowerCase();
  // Bulgaria uses the euro: its old currency is refused before the lookup.
  if (code === 'bgn')
    return {
      code: 'bgn_bank_accounts_unsupported',
      message: 'defaults.currency "bgn" is no longer supported: use "eur"',
    };
  if (!CURRENCIES.has(code.toUpperCase()))
    return { code: 'invalid_fields', message: `defaults.currency "${given}" is not a currency of ISO 4217` };
  const country = countryOf(attempt);
  const currencies = country === undefined ? undefined : countryRow(country).currencies;
  return currencies === undefined || currencies.includes(code)
    ? undefined
    : {
        code: 'account_country_unsupported_currency',
        message: `defaults.currency "${code}" is not offered in ${country}; it has ${currencies.join(', ')}`,
      };
};

const immutableCurrency: Rule = ({ before, after }) => {
  const was = before.defaults?.currency;
  return before.activated_at !== undefined &&
    was !== undefined &&
    was.toLowerCase() !== after.defaults?.currency?.toLowerCase()
    ? {
        code: 'default_currency_immutable',
        message: 'defaults.currency cannot be changed once a capability has been active',
      }
    : undefined;
};

const timezone: Rule = ({ body }) => {
  const zone = body.defaults?.timezone;
  return zone == null || isTimeZone(zone)
    ? undefined
    : { code: 'invalid_timezone', message: 'defaults.timezone is not a time zone of the IANA database' };
};

function isTimeZone(zone: string): boolean {
  // Newer engines also accept offsets, which are not zones.
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

const businessUrl: Rule = ({ body }) => {
  const url = body.defaults?.profile?.business_url;
  return url == null || isPublicUrl(url)
    ? undefined
    : {
        code: 'url_invalid',
        message: 'defaults.profile.business_url is not an http or https URL with a public host',
      };
};

/** External accounts of version 1 of the interface. */
const V1_EXTERNAL = /^(?:ba|card)_/;

const payoutMethods: Rule = ({ body, references }) => {
  for (const [code, id] of Object.entries(body.defaults?.payout_methods ?? {})) {
    if (id === null || id === '') continue;
    const path = `defaults.payout_methods.${code}`;
    if (V1_EXTERNAL.test(id))
      return {
        code: 'payout_method_incompatible_type',
        message: `${path} is an external account of the first version, not a payout method`,
      };
    const method = references.fixture('payout_method', id);
    if (!(method?.currencies ?? ['usd']).includes(code.toLowerCase()) || method === undefined)
      return {
        code: 'incompatible_default_payout_method',
        message: `${path} is not a payout method that pays out in ${code.toLowerCase()}`,
      };
  }
  return undefined;
};

const outboundDestination: Rule = ({ body, accountId, references }) => {
  const id = body.configuration?.recipient?.default_outbound_destination;
  if (id == null) return undefined;
  const path = 'configuration.recipient.default_outbound_destination';
  if (V1_EXTERNAL.test(id))
    return {
      code: 'payout_method_incompatible_type',
      message: `${path} is an external account of the first version, not a payout method`,
    };
  const method = references.fixture('payout_method', id);
  return method !== undefined && (method.account === undefined || method.account === accountId)
    ? undefined
    : {
        code: 'default_outbound_destination_invalid',
        message: `${path} is not a payout method of this account`,
      };
};

const incompatibleWithConnect: Rule = ({ operation, added, controllerBefore, before, references }) => {
  if (operation !== 'update' || controllerBefore !== undefined || added.every((name) => name === 'customer'))
    return undefined;
  const entry = Object.entries(before.defaults?.payout_methods ?? {}).find(
    ([, id]) => references.fixture('payout_method', id ?? '')?.connect_compatible === false,
  );
  return entry === undefined
    ? undefined
    : {
        code: 'cannot_add_connect_due_to_incompatible_default_payout_method',
        message: `defaults.payout_methods.${entry[0]} does not work with merchants and recipients: change it first`,
      };
};

export const defaultsRules: readonly Rule[] = [currency, immutableCurrency, timezone, businessUrl];

/** After the rules that need no registry. */
export const payoutRules: readonly Rule[] = [payoutMethods, outboundDestination, incompatibleWithConnect];
