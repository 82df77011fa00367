/** Codes about the platform, its tokens and its requests. */
import {
  account,
  create,
  custom,
  fixture,
  merchant,
  retrieve,
  update,
  type Recipe,
  type Step,
} from './recipe.js';

const withToken = (id: string): Step => create({ account_token: id });
const token = (rest: object): Step => fixture({ kind: 'account_token', id: 'accttok_1', ...rest });

export const platformRecipes: readonly Recipe[] = [
  { code: 'accounts_v2_access_blocked', platform: { accounts_v2: 'blocked' }, request: retrieve('acct_any') },
  {
    code: 'non_connect_platform_accounts_v2_access_blocked',
    platform: { connect: 'not_onboarded', non_connect_min_version: '2026-01-01' },
    request: create({}, { 'service-version': '2025-12-15.clover' }),
  },
  {
    code: 'platform_registration_required',
    platform: { connect: 'not_onboarded' },
    request: create(merchant('US')),
  },
  {
    code: 'cannot_create_new_account_rejected',
    platform: { status: 'rejected' },
    request: create(merchant('US')),
  },
  {
    code: 'cannot_create_connected_account',
    platform: { status: 'invalid' },
    request: create(merchant('US')),
  },
  {
    code: 'account_create_activation_required',
    platform: { activated: false },
    request: create(merchant('US')),
  },
  {
    code: 'connect_identity_not_verified',
    platform: { identity_verified: false },
    request: create(merchant('US')),
  },
  {
    code: 'connect_profile_not_submitted',
    platform: { profile_submitted: false },
    request: create(merchant('US')),
  },
  {
    code: 'account_configuration_not_supported',
    platform: { allowed_configurations: ['customer'] },
    request: create(merchant('US')),
  },
  {
    code: 'cross_border_connected_account_creation_not_allowed',
    platform: { cross_border: [['US', 'CA']] },
    request: create(merchant('DE')),
  },
  {
    code: 'can_create_platform_owned_onboarding_accounts_required',
    platform: { dormant: true },
    request: create(custom('US')),
  },
  { code: 'custom_account_beta', request: create(custom('IN')) },
  {
    code: 'account_creation_liability_unacknowledged',
    platform: { acknowledged: { losses: false, requirements: true } },
    request: create(custom('US')),
  },
  {
    code: 'account_creation_requirement_collection_unacknowledged',
    platform: { acknowledged: { losses: true, requirements: false } },
    request: create(custom('US')),
  },
  {
    code: 'account_creation_requirement_collection_and_liability_unacknowledged',
    platform: { acknowledged: { losses: false, requirements: false } },
    request: create(custom('US')),
  },
  {
    code: 'account_token_required',
    platform: { country: 'FR' },
    request: create({ identity: { country: 'FR', individual: { given_name: 'Kim' } } }),
  },
  {
    code: 'param_alongside_account_token',
    request: create({ account_token: 'accttok_1', display_name: 'Kim' }),
  },
  { code: 'v1_token_invalid_in_v2', request: withToken('ct_1') },
  { code: 'incorrect_token_wrong_type', before: [token({ of: 'person' })], request: withToken('accttok_1') },
  { code: 'invalid_account_token', request: withToken('accttok_nowhere') },
  {
    code: 'token_already_used',
    before: [token({}), { ...withToken('accttok_1'), headers: { 'idempotency-key': 'first' } }],
    request: { ...withToken('accttok_1'), headers: { 'idempotency-key': 'second' } },
  },
  {
    code: 'token_expired',
    before: [token({ expires_at: '2020-01-01T00:00:00Z' })],
    request: withToken('accttok_1'),
  },
  {
    code: 'account_not_yet_compatible_with_v2',
    before: [fixture({ kind: 'v1_account', id: 'acct_old', migratable: true })],
    request: retrieve('acct_old'),
  },
  {
    code: 'v1_account_instead_of_v2_account',
    before: [fixture({ kind: 'v1_account', id: 'acct_old' })],
    request: retrieve('acct_old'),
  },
  { code: 'v1_customer_instead_of_v2_account', request: retrieve('cus_1') },
  { code: 'not_found', request: retrieve('acct_nowhere') },
  {
    code: 'idempotency_error',
    before: [create({ display_name: 'Kim' }, { 'idempotency-key': 'one-key' })],
    request: create({ display_name: 'Lee' }, { 'idempotency-key': 'one-key' }),
  },
  {
    code: 'account_rate_limit_exceeded',
    config: { limits: { concurrency: 0 } },
    before: [account({})],
    request: retrieve('$account'),
  },
  {
    code: 'test_clock_disallowed_on_live_mode',
    livemode: true,
    request: create({ configuration: { customer: { test_clock: 'clock_1' } } }),
  },
  {
    code: 'account_controller_unsupported_configuration_private_preview',
    request: create(
      merchant(
        'US',
        {},
        {
          dashboard: 'full',
          defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'service' } },
        },
      ),
    ),
  },
  {
    code: 'account_controller_express_dash_without_application_losses_or_fees',
    request: create(
      merchant(
        'US',
        {},
        {
          dashboard: 'express',
          defaults: { responsibilities: { fees_collector: 'service', losses_collector: 'service' } },
        },
      ),
    ),
  },
  {
    code: 'account_controller_service_pricing_platform_liable',
    request: create(
      merchant(
        'US',
        {},
        {
          dashboard: 'none',
          defaults: { responsibilities: { fees_collector: 'service', losses_collector: 'application' } },
        },
      ),
    ),
  },
  {
    code: 'account_controller_unsupported_configuration',
    request: create(
      merchant(
        'US',
        {},
        {
          dashboard: 'none',
          defaults: { responsibilities: { fees_collector: 'service', losses_collector: 'service' } },
        },
      ),
    ),
    extra: {
      invalid_permutation: { dashboard: 'none', fees_collector: 'service', losses_collector: 'service' },
    },
  },
  {
    code: 'account_controller_ua_unsupported_configuration',
    platform: { features: { ua_beta: true, private_preview: false } },
    request: create(
      merchant(
        'US',
        {},
        {
          dashboard: 'none',
          defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'service' } },
        },
      ),
    ),
    extra: {
      invalid_permutation: {
        dashboard: 'none',
        fees_collector: 'application',
        losses_collector: 'service',
        requirements_collector: 'service',
      },
    },
  },
  {
    code: 'account_creation_invalid',
    request: create({ dashboard: 'full', configuration: { customer: {} } }),
  },
  {
    code: 'configuration_creation_invalid',
    request: create({ configuration: { customer: { applied: false } } }),
  },
  {
    code: 'unsupported_field_for_configs',
    request: create({
      configuration: { customer: {} },
      defaults: { responsibilities: { fees_collector: 'service', losses_collector: 'service' } },
    }),
  },
  {
    code: 'configuration_cannot_be_deactivated',
    before: [account({ configuration: { customer: {} } })],
    request: update({ configuration: { customer: { applied: false } } }),
  },
  {
    code: 'configuration_cannot_be_deactivated_due_to_other_configuration',
    platform: { configuration_dependencies: { merchant: ['customer'] } },
    before: [account({ identity: { country: 'US' }, configuration: { customer: {}, merchant: {} } })],
    request: update({ configuration: { customer: { applied: false } } }),
  },
  {
    code: 'configuration_cannot_be_deactivated_due_to_other_capability_requirement',
    before: [
      account({
        identity: { country: 'AE' },
        configuration: {
          merchant: { capabilities: { service_balance: { payouts: { requested: true } } } },
          recipient: { capabilities: { bank_accounts: { swift: { requested: true } } } },
        },
      }),
    ],
    request: update({ configuration: { merchant: { applied: false } } }),
  },
  {
    code: 'configuration_cannot_be_updated_while_deactivated',
    before: [
      account({ identity: { country: 'US' }, configuration: { customer: {}, merchant: {} } }),
      update({ configuration: { merchant: { applied: false } } }),
    ],
    request: update({ configuration: { merchant: { mcc: '5734' } } }),
  },
];
