/** Rules on how to reach somebody: email, phone and web addresses. */
import { createRequire } from 'node:module';
import type * as PhoneNumbers from 'libphonenumber-js/min';
import { nameProblem } from 'plugboard/sdk';
import isEmail from 'validator/lib/isEmail.js';
import isURL from 'validator/lib/isURL.js';
import { countryOf, type Attempt, type Rule } from './attempt.js';

/** Bounds on what the patterns of the libraries see. */
const MAX_EMAIL = 254;
const MAX_PHONE = 50;
const MAX_URL = 2_000;

const require = createRequire(import.meta.url);
let loaded: typeof PhoneNumbers | undefined;
/** Read with the first phone number: the numbering plans of the world take 0.1 s of a start. */
const phoneNumbers = (): typeof PhoneNumbers =>
  (loaded ??= require('libphonenumber-js/min') as typeof PhoneNumbers);

/** With a name, or an address that everybody reaches, and without a password. */
export function isPublicUrl(url: string): boolean {
  return (
    url.length <= MAX_URL &&
    isURL.default(url, URL_OPTIONS) &&
    URL.canParse(url) &&
    nameProblem(new URL(url).hostname.replace(/^\[|\]$/g, ''), false) === null
  );
}

const URL_OPTIONS = {
  protocols: ['http', 'https'],
  require_protocol: true,
  require_tld: true,
  disallow_auth: true,
};

const emails: Rule = ({ body }) => {
  const { merchant } = body.configuration ?? {};
  const places: [string, string | null | undefined][] = [
    ['contact_email', body.contact_email],
    ['identity.individual.email', body.identity?.individual?.email],
    ['configuration.merchant.support.email', merchant?.support?.email],
    ['configuration.merchant.konbini_payments.support.email', merchant?.konbini_payments?.support?.email],
  ];
  const wrong = places.find(
    ([, email]) => email != null && !(email.length <= MAX_EMAIL && isEmail.default(email)),
  );
  return wrong === undefined
    ? undefined
    : { code: 'email_invalid', message: `${wrong[0]} is not an email address` };
};

const phones: Rule = (attempt) => {
  const { body } = attempt;
  const places: [string, string | null | undefined][] = [
    ['contact_phone', body.contact_phone],
    ['identity.business_details.phone', body.identity?.business_details?.phone],
    ['identity.individual.phone', body.identity?.individual?.phone],
    ['configuration.merchant.support.phone', body.configuration?.merchant?.support?.phone],
    ['configuration.customer.shipping.phone', body.configuration?.customer?.shipping?.phone],
  ];
  const wrong = places.find(([, phone]) => phone != null && !isPhone(phone, attempt));
  return wrong === undefined
    ? undefined
    : { code: 'phone_invalid', message: `${wrong[0]} is not a phone number, such as "+15555550123"` };
};

/** Possible, not valid: tests and examples use unassigned numbers. */
function isPhone(phone: string, attempt: Attempt): boolean {
  return (
    phone.length <= MAX_PHONE &&
    phoneNumbers().isPossiblePhoneNumber(phone, (countryOf(attempt) ?? 'US') as PhoneNumbers.CountryCode)
  );
}

export function isJapanesePhone(phone: string): boolean {
  return (
    phone.length <= MAX_PHONE &&
    phoneNumbers().isValidPhoneNumber(phone, 'JP') &&
    !/^\s*\+(?!\s*81)/.test(phone)
  );
}

/** Domains that no mail reaches (RFC 2606 and RFC 6761). */
const UNREACHABLE = ['invalid', 'localhost'];

const recipientDomain: Rule = ({ body, after, added, applied, platform }) => {
  const email = after.contact_email;
  const concerned = body.contact_email != null || added.includes('recipient');
  if (email === undefined || !concerned || !applied.includes('recipient')) return undefined;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const blocked = [...UNREACHABLE, ...platform.settings.blocked_recipient_email_domains].some(
    (one) => domain === one.toLowerCase() || domain.endsWith(`.${one.toLowerCase()}`),
  );
  return blocked
    ? {
        code: 'email_domain_invalid_for_recipient',
        message: `contact_email is at "${domain}", which recipients cannot use`,
      }
    : undefined;
};

export const contactRules: readonly Rule[] = [emails, phones, recipientDomain];
