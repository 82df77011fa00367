/** Codes about the identity of the account. */
import {
  ACTIVE,
  account,
  create,
  custom,
  fixture,
  merchant,
  recipient,
  update,
  type Recipe,
} from './recipe.js';

const address = (fields: object) => ({
  identity: { country: 'US', business_details: { address: { country: 'US', ...fields } } },
});
const japanese = (fields: object) => ({
  identity: { country: 'JP', business_details: { address: { country: 'JP', ...fields } } },
});
const born = (year: number, month: number, day: number) =>
  merchant(
    'US',
    {},
    { identity: { entity_type: 'individual', individual: { date_of_birth: { year, month, day } } } },
  );
const business = (country: string, details: object, rest: object = {}) => ({
  identity: { country, business_details: details, ...rest },
});
const person = (individual: object) => ({ ...merchant('US', {}, { identity: { individual } }) });

export const identityRecipes: readonly Recipe[] = [
  { code: 'address_characters_invalid', request: create(address({ line1: '1 Main Street <b>' })) },
  {
    code: 'address_country_identity_country_mismatch',
    request: create({
      identity: { country: 'US', business_details: { address: { country: 'DE', line1: 'Hauptstr. 1' } } },
    }),
  },
  { code: 'address_postal_code_invalid', request: create(address({ postal_code: '9410' })) },
  { code: 'address_state_invalid', request: create(address({ state: 'Bavaria' })) },
  { code: 'address_town_invalid', request: create(address({ town: 'Shibuya' })) },
  { code: 'unsupported_postal_code', request: create(address({ postal_code: '09012' })) },
  { code: 'unsupported_state', request: create(address({ state: 'AE' })) },
  { code: 'postal_code_required_for_jp_address', request: create(japanese({ line1: '1-1' })) },
  {
    code: 'non_jp_kana_kanji_address',
    request: create(business('US', { script_addresses: { kana: { country: 'US', line1: 'トウキョウ' } } })),
  },
  {
    code: 'script_characters_invalid',
    request: create(
      merchant(
        'JP',
        {},
        { identity: { business_details: { script_names: { kana: { registered_name: 'Tokyo' } } } } },
      ),
    ),
  },
  { code: 'date_of_birth_invalid', request: create(born(1990, 2, 30)) },
  { code: 'date_of_birth_age_restriction', request: create(born(2024, 1, 1)), extra: { age_limit: '13' } },
  {
    code: 'registration_date_invalid',
    request: create(
      merchant(
        'US',
        {},
        { identity: { business_details: { registration_date: { year: 2999, month: 1, day: 1 } } } },
      ),
    ),
  },
  { code: 'identity_country_required', request: create({ configuration: { merchant: {} } }) },
  {
    code: 'entity_type_not_supported_in_country',
    request: create({ identity: { country: 'JP', entity_type: 'government_entity' } }),
  },
  {
    code: 'structure_incompatible_for_entity_type_country',
    request: create(business('US', { structure: 'llc' }, { entity_type: 'individual' })),
  },
  {
    code: 'id_number_invalid',
    request: create(business('US', { id_numbers: [{ type: 'us_ein', value: '12' }] })),
  },
  {
    code: 'incorrect_id_number_for_country',
    request: create(business('US', { id_numbers: [{ type: 'de_vat', value: 'DE123456789' }] })),
  },
  {
    code: 'invalid_id_number_for_structure',
    request: create(
      business(
        'GB',
        { structure: 'sole_proprietorship', id_numbers: [{ type: 'gb_crn', value: '12345678' }] },
        { entity_type: 'company' },
      ),
    ),
  },
  {
    code: 'invalid_id_number_registrar',
    request: create(
      business('US', { id_numbers: [{ type: 'us_ein', value: '000000000', registrar: 'D2601V' }] }),
    ),
  },
  {
    code: 'ip_address_invalid',
    request: create(
      merchant('US', {}, { identity: { attestations: { representative_declaration: { ip: '300.1.1.1' } } } }),
    ),
  },
  {
    code: 'person_percent_ownership_invalid',
    request: create(person({ relationship: { owner: true, percent_ownership: '0' } })),
  },
  {
    code: 'total_person_ownership_exceeded',
    before: [
      account(merchant('US')),
      fixture({ kind: 'person', id: 'person_1', account: '$account', percent_ownership: '60' }),
    ],
    request: update({
      identity: { individual: { relationship: { owner: true, percent_ownership: '40.1' } } },
    }),
  },
  {
    code: 'duplicate_person_not_allowed',
    before: [
      account(merchant('US')),
      fixture({
        kind: 'person',
        id: 'person_1',
        account: '$account',
        given_name: 'Kim',
        surname: 'Kay',
        date_of_birth: { year: 1990, month: 2, day: 28 },
      }),
    ],
    request: update({
      identity: {
        individual: { given_name: 'kim', surname: 'KAY', date_of_birth: { year: 1990, month: 2, day: 28 } },
      },
    }),
    extra: { duplicate_person_id: 'person_1' },
  },
  {
    code: 'directorship_declaration_not_allowed_during_account_creation',
    request: create(
      merchant('US', {}, { identity: { attestations: { directorship_declaration: { ip: '127.0.0.1' } } } }),
    ),
  },
  {
    code: 'ownership_declaration_not_allowed_during_account_creation',
    request: create(
      merchant('US', {}, { identity: { attestations: { ownership_declaration: { ip: '127.0.0.1' } } } }),
    ),
  },
  {
    code: 'tos_acceptance_on_behalf_not_allowed',
    request: create(
      merchant(
        'US',
        {},
        {
          identity: {
            attestations: {
              terms_of_service: { account: { date: '2026-01-01T00:00:00Z', ip: '127.0.0.1' } },
            },
          },
        },
      ),
    ),
  },
  {
    code: 'account_terms_of_service_not_accepted',
    platform: { require_tos_before_merchant: true },
    request: create(custom('US')),
  },
  {
    code: 'immutable_identity_param',
    before: [account(ACTIVE)],
    request: update({ identity: { business_details: { registered_name: 'Lee and Sons' } } }),
  },
  {
    code: 'unsupported_identity_field_for_configs',
    request: create({
      configuration: { customer: {} },
      identity: { individual: { email: 'kim@example.com' } },
    }),
  },
  { code: 'email_invalid', request: create({ contact_email: 'kim at example.com' }) },
  { code: 'phone_invalid', request: create({ contact_phone: '12' }) },
  {
    code: 'email_domain_invalid_for_recipient',
    request: create(recipient('US', {}, { contact_email: 'kim@mail.invalid' })),
  },
  { code: 'document_invalid', request: create(merchant('US', { branding: { icon: 'file_nowhere' } })) },
  {
    code: 'document_purpose_invalid',
    before: [fixture({ kind: 'file', id: 'file_1', purpose: 'business_logo' })],
    request: create(merchant('US', { branding: { icon: 'file_1' } })),
  },
];
