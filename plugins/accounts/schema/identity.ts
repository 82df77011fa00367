/** `identity`: whom the account represents. */
import { BUSINESS_ID_TYPES, ENTITY_TYPES, INDIVIDUAL_ID_TYPES, STRUCTURES } from './enums.js';
import {
  additionalAddress,
  address,
  amount,
  code,
  country,
  date,
  files,
  flag,
  frontBack,
  group,
  item,
  list,
  metadata,
  mustOneOf,
  mustText,
  oneOf,
  signedFiles,
  text,
  whole,
  type Mode,
} from './fields.js';

const declaration = () => group({ date: text(40), ip: text(100), user_agent: text(1_000) });
export const acceptance = () => group({ date: mustText(40), ip: mustText(100), user_agent: text(1_000) });

const attestations = () =>
  group({
    directorship_declaration: declaration(),
    ownership_declaration: declaration(),
    persons_provided: group({
      directors: flag(),
      executives: flag(),
      owners: flag(),
      ownership_exemption_reason: oneOf([
        'qualified_entity_exceeds_ownership_threshold',
        'qualifies_as_financial_institution',
      ]),
    }),
    representative_declaration: declaration(),
    terms_of_service: group({ account: acceptance() }),
  });

const businessDetails = (mode: Mode) =>
  group({
    additional_addresses: list(additionalAddress(['administrative', 'principal_place_of_business']), 10),
    address: address(mode),
    annual_revenue: group({ amount: amount(), fiscal_year_end: text(40) }),
    documents: group({
      bank_account_ownership_verification: files(),
      company_license: files(),
      company_memorandum_of_association: files(),
      company_ministerial_decree: files(),
      company_registration_verification: files(),
      company_tax_id_verification: files(),
      primary_verification: frontBack(),
      proof_of_address: files(),
      proof_of_registration: signedFiles(),
      proof_of_ultimate_beneficial_ownership: signedFiles(),
    }),
    estimated_worker_count: whole(0, 100_000_000),
    id_numbers: list(
      item({ type: mustOneOf(BUSINESS_ID_TYPES), value: mustText(100), registrar: text(100) }),
      20,
    ),
    monthly_estimated_revenue: group({ amount: amount() }),
    phone: text(50),
    registered_name: text(),
    registration_date: date(),
    script_addresses: group({ kana: address(mode), kanji: address(mode) }),
    script_names: group({
      kana: group({ registered_name: text() }),
      kanji: group({ registered_name: text() }),
    }),
    structure: oneOf(STRUCTURES),
  });

/** Data of a human being: the individual of an account, or one of its persons. */
export const humanFields = (mode: Mode) => ({
  additional_addresses: list(additionalAddress(['registered']), 10),
  additional_names: list(
    item({
      purpose: mustOneOf(['alias', 'maiden']),
      full_name: text(),
      given_name: text(),
      surname: text(),
    }),
    10,
  ),
  address: address(mode),
  date_of_birth: date(),
  documents: group({
    company_authorization: files(),
    passport: files(),
    primary_verification: frontBack(),
    secondary_verification: frontBack(),
    visa: files(),
  }),
  email: text(),
  given_name: text(),
  id_numbers: list(item({ type: mustOneOf(INDIVIDUAL_ID_TYPES), value: mustText(100) }), 20),
  legal_gender: oneOf(['female', 'male']),
  metadata: metadata(),
  nationalities: list(mustText(2), 20),
  phone: text(50),
  political_exposure: oneOf(['existing', 'none']),
  script_addresses: group({ kana: address(mode), kanji: address(mode) }),
  script_names: group({
    kana: group({ given_name: text(), surname: text() }),
    kanji: group({ given_name: text(), surname: text() }),
  }),
  surname: text(),
});

/** A person's relationship to the account's business. */
export const relationshipFields = () => ({
  director: flag(),
  executive: flag(),
  owner: flag(),
  percent_ownership: code('^[0-9]{1,3}(\\.[0-9]{1,6})?$', 'a decimal number as a string, e.g. "12.5"'),
  title: text(),
});

const individual = (mode: Mode) => group({ ...humanFields(mode), relationship: group(relationshipFields()) });

export const identity = (mode: Mode) =>
  group({
    attestations: attestations(),
    business_details: businessDetails(mode),
    country: country(),
    entity_type: oneOf(ENTITY_TYPES),
    individual: individual(mode),
  });
