/** Codes about defaults, capabilities and the settings of configurations. */
import {
  ACTIVE,
  account,
  byApplication,
  create,
  fixture,
  merchant,
  recipient,
  requested,
  testClock,
  update,
  type Recipe,
  type Step,
} from './recipe.js';

const capabilities = (country: string, names: readonly string[], rest: Record<string, unknown> = {}): Step =>
  create(merchant(country, { capabilities: requested(...names) }, rest));
const customer = (settings: object): object => ({ configuration: { customer: settings } });
const konbini = (support: object): Step => create(merchant('JP', { konbini_payments: { support } }));
const payout = (rest: object): Step => fixture({ kind: 'payout_method', id: 'usba_1', ...rest });
const clock = (id: string): object => customer({ test_clock: id });

export const settingsRecipes: readonly Recipe[] = [
  { code: 'account_capability_not_supported', request: capabilities('US', ['sunbit_payments']) },
  { code: 'capability_not_available_in_country', request: capabilities('US', ['konbini_payments']) },
  { code: 'capability_not_available_in_platform_country', request: capabilities('BR', ['boleto_payments']) },
  {
    code: 'capability_not_available_for_entity_type_in_country',
    request: capabilities('US', ['affirm_payments'], { identity: { entity_type: 'government_entity' } }),
  },
  {
    code: 'capability_not_available_for_dashboard_type',
    request: create(recipient('US', { capabilities: requested('cards') }, { dashboard: 'full' })),
  },
  {
    code: 'capability_not_available_for_loss_collector',
    request: create(recipient('US', { capabilities: { service_balance: requested('service_transfers') } })),
  },
  {
    code: 'capability_not_available_without_other_capability',
    request: capabilities('US', ['jcb_payments']),
  },
  {
    code: 'capability_not_available_without_other_capability_in_country',
    request: capabilities('AE', ['card_payments']),
  },
  {
    code: 'capability_cannot_be_unrequested_due_to_other_capability_requirement',
    before: [account(merchant('US', { capabilities: requested('card_payments', 'jcb_payments') }))],
    request: update({
      configuration: { merchant: { capabilities: { card_payments: { requested: false } } } },
    }),
  },
  {
    code: 'account_country_unsupported_currency',
    request: create({ identity: { country: 'US' }, defaults: { currency: 'eur' } }),
  },
  { code: 'bgn_bank_accounts_unsupported', request: create({ defaults: { currency: 'bgn' } }) },
  {
    code: 'default_currency_immutable',
    before: [
      account({
        ...ACTIVE,
        identity: { ...ACTIVE.identity, country: 'CA', business_details: canadian() },
        defaults: { ...ACTIVE.defaults, currency: 'cad' },
      }),
    ],
    request: update({ defaults: { currency: 'usd' } }),
  },
  { code: 'invalid_timezone', request: create({ defaults: { timezone: 'Mars/Olympus' } }) },
  { code: 'url_invalid', request: create({ defaults: { profile: { business_url: 'ftp://example.com' } } }) },
  { code: 'mcc_invalid', request: create(merchant('US', { mcc: '0000' })) },
  {
    code: 'statement_descriptor_invalid',
    request: create(merchant('US', { statement_descriptor: { descriptor: '<b>' } })),
  },
  {
    code: 'invalid_konbini_payments_support_hours',
    request: konbini({ hours: { start_time: '18:00', end_time: '09:00' } }),
  },
  { code: 'invalid_konbini_payments_support_phone_number', request: konbini({ phone: '+15555550123' }) },
  {
    code: 'high_risk_activities_none_cant_be_combined_with_other_options',
    request: create(recipient('US', { high_risk_activities: ['none', 'gambling'] })),
  },
  {
    code: 'purpose_of_funds_description_must_be_empty_for_non_other_purpose_of_funds',
    request: create(recipient('US', { purpose_of_funds: 'payroll', purpose_of_funds_description: 'wages' })),
  },
  { code: 'shipping_address_required', request: create(customer({ shipping: { name: 'Kim' } })) },
  { code: 'shipping_name_required', request: create(customer({ shipping: { address: { country: 'US' } } })) },
  {
    code: 'cannot_use_validate_location_on_customer_create',
    before: [account({})],
    request: update(customer({ automatic_indirect_tax: { validate_location: 'deferred' } })),
  },
  {
    code: 'customer_invalid_tax_location',
    before: [account(customer({}))],
    request: update(customer({ automatic_indirect_tax: { validate_location: 'immediately' } })),
    extra: {
      validate_location: 'immediately',
      incorrect_fields: [{ field: 'identity.business_details.address.country', type: 'missing' }],
    },
  },
  {
    code: 'default_payment_method_invalid',
    request: create(customer({ billing: { default_payment_method: 'pm_nowhere' } })),
  },
  {
    code: 'default_payment_method_invalid_type',
    before: [fixture({ kind: 'payment_method', id: 'pm_1', type: 'card_present' })],
    request: create(customer({ billing: { default_payment_method: 'pm_1' } })),
  },
  {
    code: 'attach_payment_method_to_customer',
    before: [account(customer({})), fixture({ kind: 'payment_method', id: 'pm_1' })],
    request: update(customer({ billing: { default_payment_method: 'pm_1' } })),
  },
  {
    code: 'invoice_rendering_template_invalid',
    request: create(customer({ billing: { invoice: { rendering: { template: 'inrtem_nowhere' } } } })),
  },
  { code: 'test_clock_invalid', request: create(clock('clock_nowhere')) },
  {
    code: 'test_clocks_advance_in_progress',
    before: [
      testClock(),
      {
        method: 'POST',
        path: '/v2/test_helpers/test_clocks/$clock/advance',
        body: { frozen_time: '2026-02-01T00:00:00.000Z' },
      },
    ],
    request: create(clock('$clock')),
  },
  {
    code: 'test_clocks_customer_limit_reached',
    before: [testClock(), create(clock('$clock')), create(clock('$clock')), create(clock('$clock'))],
    request: create(clock('$clock')),
  },
  {
    code: 'payout_method_incompatible_type',
    before: [account(recipient('US'))],
    request: update({ defaults: { payout_methods: { usd: 'ba_1' } } }),
  },
  {
    code: 'incompatible_default_payout_method',
    before: [account(recipient('US')), payout({ currencies: ['usd'] })],
    request: update({ defaults: { payout_methods: { eur: 'usba_1' } } }),
  },
  {
    code: 'default_outbound_destination_invalid',
    before: [account(recipient('US'))],
    request: update({ configuration: { recipient: { default_outbound_destination: 'usba_nowhere' } } }),
  },
  {
    code: 'cannot_add_connect_due_to_incompatible_default_payout_method',
    before: [
      account({ identity: { country: 'US' } }),
      payout({ connect_compatible: false }),
      update({ defaults: { payout_methods: { usd: 'usba_1' } } }),
    ],
    request: update({ configuration: { recipient: {} }, defaults: byApplication, dashboard: 'express' }),
  },
];

function canadian(): object {
  return {
    ...ACTIVE.identity.business_details,
    address: { country: 'CA', line1: '1 Main Street', city: 'Toronto', state: 'ON', postal_code: 'M5V 2T6' },
    id_numbers: [{ type: 'ca_cn', value: '1234567' }],
  };
}
