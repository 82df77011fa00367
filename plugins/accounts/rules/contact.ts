/** Rules on contact data: e-mail, phone and web addresses. */
import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import formats from 'ajv-formats';
import type * as PhoneNumbers from 'libphonenumber-js/min';
import { nameProblem } from 'plugboard/sdk';
import { countryOf, type Attempt, type Rule } from './attempt.js';

/** Limits on the input of the patterns. */
const MAX_EMAIL = 254;
const MAX_PHONE = 50;
const MAX_URL = 2_000;

const require = createRequire(import.meta.url);
let loaded: typeof PhoneNumbers | undefined;
/** Loaded for the first phone number: the world's numbering plans take 0.1 s of a start. */
const phoneNumbers = (): typeof PhoneNumbers =>
  (loaded ??= require('libphonenumber-js/min') as typeof PhoneNumbers);

const format = (name: 'email' | 'hostname'): RegExp => formats.default.get(name) as RegExp;

/** Letters of any script are allowed, both before and after the `@`. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, name] = [text.slice(0, at), text.slice(at + 1)];
  if (text.length > MAX_EMAIL || local.length > 64 || REWRITTEN.test(name)) return false;
  const domain = domainToASCII(name);
  if (!TOP_LEVEL.test(domain)) return false;
  return format('email').test(`${local.replaceAll(/[\p{L}\p{N}\p{M}]/gu, 'a')}@${domain}`);
}

/** A host name or a public IP address, without a password. */
export function isPublicUrl(text: string): boolean {
  if (text.length > MAX_URL || !WEB_URL.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const isName = TOP_LEVEL.test(hostname) && format('hostname').test(hostname);
  // `8.8` is a short form of an IP address.
  const isAddress = isIP(hostname) === 6 || (isIP(hostname) === 4 && text.includes(hostname));
  return url.port !== '0' && (isName || isAddress) && nameProblem(hostname, false) === null;
}

/** No user name before the host. */
const WEB_URL = /^https?:\/\/[^\s<>\\@/?#%]+(?:[/?#][^\s<>\\]*)?$/i;
/** Characters that the URL standard drops from a host or decodes. */
const REWRITTEN = /[\s%]/;
const TOP_LEVEL = /\.(?:[a-z]{2,}|xn--[a-z0-9-]+)$/i;

const emails: Rule = ({ body }) => {
  const { merchant } = body.configuration ?? {};
  const places: [string, string | null | undefined][] = [
    ['contact_email', body.contact_email],
    ['identity.individual.email', body.identity?.individual?.email],
    ['configuration.merchant.support.email', merchant?.support?.email],
    ['configuration.merchant.konbini_payments.support.email', merchant?.konbini_payments?.support?.email],
  ];
  const wrong = places.find(([, email]) => email != null && !isEmail(email));
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
