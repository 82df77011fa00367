/** Rules on the settings of merchants. */
import categories from '../data/merchant-categories.json' with { type: 'json' };
import { isPublicUrl, isJapanesePhone } from './contact.js';
import type { Rule } from './attempt.js';
import { hasCharacters } from './script.js';

const category: Rule = ({ body }) => {
  const code = body.configuration?.merchant?.mcc;
  return code == null || Object.hasOwn(categories, code)
    ? undefined
    : {
        code: 'mcc_invalid',
        message: 'configuration.merchant.mcc is not a merchant category code, such as "5734"',
      };
};

/** Printable ASCII without the signs that card networks do not print. */
const PRINTABLE = /^[\x20-\x7e]*$/;
const UNPRINTED = /[<>\\'"*]/;

function isDescriptor(text: string, fewest: number, most: number): boolean {
  return (
    text.length >= fewest &&
    text.length <= most &&
    PRINTABLE.test(text) &&
    !UNPRINTED.test(text) &&
    /[A-Za-z]/.test(text)
  );
}

const statementDescriptor: Rule = ({ body }) => {
  const { descriptor, prefix } = body.configuration?.merchant?.statement_descriptor ?? {};
  const path = 'configuration.merchant.statement_descriptor';
  if (descriptor != null && !isDescriptor(descriptor, 5, 22))
    return {
      code: 'statement_descriptor_invalid',
      message: `${path}.descriptor must be 5 to 22 Latin characters with a letter, without < > \\ ' " *`,
    };
  return prefix != null && !isDescriptor(prefix, 2, 10)
    ? {
        code: 'statement_descriptor_invalid',
        message: `${path}.prefix must be 2 to 10 Latin characters with a letter, without < > \\ ' " *`,
      }
    : undefined;
};

const scriptDescriptor: Rule = ({ body }) => {
  for (const script of ['kana', 'kanji'] as const) {
    const given = body.configuration?.merchant?.script_statement_descriptor?.[script];
    const wrong = Object.entries(given ?? {}).find(
      ([, text]) => typeof text === 'string' && !hasCharacters(script, text),
    );
    if (wrong !== undefined)
      return {
        code: 'script_characters_invalid',
        message: `configuration.merchant.script_statement_descriptor.${script}.${wrong[0]} has characters that are not ${script}`,
      };
  }
  return undefined;
};

const supportUrl: Rule = ({ body }) => {
  const url = body.configuration?.merchant?.support?.url;
  return url == null || isPublicUrl(url)
    ? undefined
    : {
        code: 'url_invalid',
        message: 'configuration.merchant.support.url is not an http or https URL with a public host',
      };
};

const TIME = /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/;

const konbiniHours: Rule = ({ body, after }) => {
  if (body.configuration?.merchant?.konbini_payments?.support?.hours == null) return undefined;
  const { start_time: start, end_time: end } =
    after.configuration.merchant?.konbini_payments?.support?.hours ?? {};
  return start !== undefined && end !== undefined && TIME.test(start) && TIME.test(end) && start < end
    ? undefined
    : {
        code: 'invalid_konbini_payments_support_hours',
        message:
          'configuration.merchant.konbini_payments.support.hours must have start_time before end_time, both as HH:MM',
      };
};

const konbiniPhone: Rule = ({ body }) => {
  const phone = body.configuration?.merchant?.konbini_payments?.support?.phone;
  return phone == null || isJapanesePhone(phone)
    ? undefined
    : {
        code: 'invalid_konbini_payments_support_phone_number',
        message: 'configuration.merchant.konbini_payments.support.phone is not a Japanese phone number',
      };
};

export const merchantRules: readonly Rule[] = [
  category,
  statementDescriptor,
  scriptDescriptor,
  supportUrl,
  konbiniHours,
  konbiniPhone,
];
