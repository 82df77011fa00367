/** `configuration`: the uses of the account, with the settings of each. */
import { Type } from 'plugboard/sdk';
import { BANK_ACCOUNT_CAPABILITIES, MERCHANT_CAPABILITIES } from './enums.js';
import {
  address,
  code,
  flag,
  group,
  item,
  list,
  mustText,
  oneOf,
  part,
  shippingAddress,
  text,
  updateOnly,
  whole,
  type Mode,
} from './fields.js';

/** `requested` is required for a new account and optional in an update. */
const capability = (mode: Mode) =>
  Type.Optional(
    Type.Unsafe<{ requested?: boolean }>({
      type: 'object',
      properties: { requested: { type: 'boolean' } },
      ...(mode === 'create' && { required: ['requested'] }),
      additionalProperties: false,
    }),
  );

const capabilities = (names: readonly string[], mode: Mode) =>
  Object.fromEntries(names.map((name) => [name, capability(mode)]));

/** An update sends a boolean; a client that sends back the answer's timestamp keeps the state. */
const applied = () => Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] }));

const tax = {
  exempt: oneOf(['exempt', 'none', 'reverse']),
  ip_address: text(100),
  location_source: oneOf(['identity_address', 'ip_address', 'payment_method', 'shipping_address']),
};

const customer = (mode: Mode) =>
  part({
    applied: applied(),
    automatic_indirect_tax: group({
      ...tax,
      ...updateOnly(mode, { validate_location: oneOf(['auto', 'deferred', 'immediately']) }),
    }),
    billing: group({
      default_payment_method: text(200),
      invoice: group({
        custom_fields: list(item({ name: mustText(40), value: mustText(140) }), 4),
        footer: text(5_000),
        next_sequence: whole(1, 2_147_483_647),
        prefix: code('^[A-Z0-9]{3,12}$', '3 to 12 upper-case letters and digits'),
        rendering: group({
          amount_tax_display: oneOf(['exclude_tax', 'include_inclusive_tax']),
          template: text(200),
        }),
      }),
    }),
    capabilities: part(capabilities(['automatic_indirect_tax'], mode)),
    shipping: group({ name: text(), phone: text(50), address: shippingAddress() }),
    test_clock: text(200),
  });

const color = () => code('^#[0-9A-Fa-f]{6}$', 'a CSS colour such as #1a2b3c');
const descriptor = () => group({ descriptor: text(100), prefix: text(100) });

const merchant = (mode: Mode) =>
  part({
    applied: applied(),
    bacs_debit_payments: group({ display_name: text() }),
    branding: group({ icon: text(200), logo: text(200), primary_color: color(), secondary_color: color() }),
    capabilities: part({
      ...capabilities(MERCHANT_CAPABILITIES, mode),
      service_balance: part({ payouts: capability(mode) }),
      stripe_balance: part({ payouts: capability(mode) }),
    }),
    card_payments: group({ decline_on: group({ avs_failure: flag(), cvc_failure: flag() }) }),
    konbini_payments: group({
      support: group({
        email: text(),
        phone: text(50),
        hours: group({ start_time: text(20), end_time: text(20) }),
      }),
    }),
    mcc: text(20),
    script_statement_descriptor: group({ kana: descriptor(), kanji: descriptor() }),
    sepa_debit_payments: group({ creditor_id: text() }),
    statement_descriptor: descriptor(),
    support: group({ address: address(mode), email: text(), phone: text(50), url: text(2_000) }),
  });

const balance = (mode: Mode) =>
  part({
    payouts: capability(mode),
    service_transfers: capability(mode),
    stripe_transfers: capability(mode),
  });

const recipient = (mode: Mode) =>
  part({
    applied: applied(),
    capabilities: part({
      bank_accounts: part(capabilities(BANK_ACCOUNT_CAPABILITIES, mode)),
      cards: capability(mode),
      service_balance: balance(mode),
      stripe_balance: balance(mode),
    }),
    default_outbound_destination: text(200),
    high_risk_activities: list(mustText(100), 20),
    purpose_of_funds: text(100),
    purpose_of_funds_description: text(),
  });

export const configuration = (mode: Mode) =>
  part({ customer: customer(mode), merchant: merchant(mode), recipient: recipient(mode) });
