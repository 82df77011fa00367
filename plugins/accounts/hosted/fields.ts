/** The inputs and sections that the page shows for a requirement. Pure. */
import { INDIVIDUAL_ID_TYPES, BUSINESS_ID_TYPES, ENTITY_TYPES, type EntityType } from '../schema/enums.js';
import { countryRow, postalCodes } from '../tables/countries.js';
import type { Texts } from './texts/en.js';

/** An input, named by the path that it fills. */
export interface Field {
  readonly name: string;
  readonly label: keyof Texts['fields'];
  readonly kind:
    'text' | 'email' | 'tel' | 'url' | 'time' | 'area' | 'choice' | 'radio' | 'category' | 'date' | 'percent';
  readonly hint?: keyof Texts['hints'];
  readonly required: boolean;
  /** Not required because another field will do; the group's hint says so. */
  readonly oneOfSeveral?: boolean;
  readonly autocomplete?: string;
  readonly choices?: readonly string[];
  /** Kind of labels of `choices`. */
  readonly called?: 'entityTypes' | 'country' | 'id' | 'structure' | 'state';
  readonly max?: number;
}

export type Section = keyof Texts['sections'];

/** Inputs that belong together. */
export interface Group {
  readonly section: Section;
  readonly legend?: 'address' | 'idNumber' | undefined;
  readonly hint?: keyof Texts['hints'] | undefined;
  readonly fields: readonly Field[];
  /** One of the fields is enough. */
  readonly any?: boolean;
}

export interface Place {
  /** In capitals; undefined until known. */
  readonly country: string | undefined;
  readonly entityType: EntityType | undefined;
}

const text = (
  name: string,
  label: Field['label'],
  autocomplete?: string,
  more: Partial<Field> = {},
): Field => ({ name, label, kind: 'text', required: true, ...(autocomplete && { autocomplete }), ...more });

const email = (name: string, label: Field['label'], more: Partial<Field> = {}): Field =>
  text(name, label, 'email', { kind: 'email', ...more });

const phone = (name: string, label: Field['label'] = 'phone', more: Partial<Field> = {}): Field =>
  text(name, label, 'tel', { kind: 'tel', hint: 'phone', max: 50, ...more });

export const dateOfBirth = (name: string, required = true): Field =>
  text(name, 'date_of_birth', 'bday', { kind: 'date', hint: 'date_of_birth', required });

/** `path` of the address. The country is the account's unless the address asks for its own. */
export function addressFields(path: string, country: string | undefined, required = true): Field[] {
  const states = country === undefined ? undefined : countryRow(country).states;
  return [
    text(`${path}.line1`, 'line1', 'address-line1', { required }),
    text(`${path}.line2`, 'line2', 'address-line2', { required: false }),
    text(`${path}.city`, 'city', 'address-level2', { required }),
    text(`${path}.state`, 'state', 'address-level1', {
      required: required && states !== undefined,
      ...(states && { kind: 'choice', choices: Object.keys(states), called: 'state' }),
    }),
    text(`${path}.postal_code`, 'postal_code', 'postal-code', {
      required: required && country !== undefined && postalCodes(country),
      max: 20,
    }),
  ];
}

export function idNumberFields(
  path: string,
  of: 'business' | 'individual',
  country: string | undefined,
  required = true,
): Field[] {
  const all = of === 'business' ? BUSINESS_ID_TYPES : INDIVIDUAL_ID_TYPES;
  const prefix = `${country?.toLowerCase() ?? ''}_`;
  const choices = all.filter((type) => type.startsWith(prefix));
  if (choices.length === 0) return [];
  return [
    text(`${path}.type`, 'id_type', undefined, { kind: 'choice', choices, called: 'id', required }),
    text(`${path}.value`, 'id_value', 'off', { max: 100, required }),
  ];
}

type Maker = (place: Place) => Group;

const group = (section: Section, ...fields: Field[]): Group => ({ section, fields });

const COMPANY = 'identity.business_details';
const PERSON = 'identity.individual';
const KONBINI = 'configuration.merchant.konbini_payments.support';

const address =
  (section: Section, path: string): Maker =>
  ({ country }) => ({
    section,
    legend: 'address',
    hint: country === 'JP' ? 'ascii' : undefined,
    fields: addressFields(`${path}.address`, country),
  });

const idNumber =
  (section: Section, path: string, of: 'business' | 'individual'): Maker =>
  ({ country }) => ({
    section,
    legend: 'idNumber',
    fields: idNumberFields(`${path}.id_numbers`, of, country),
  });

/** By path of the requirement, in the page's order. */
const GROUPS: Readonly<Record<string, Maker>> = {
  contact_email: () => group('contact', email('contact_email', 'contact_email')),
  [`${COMPANY}.registered_name`]: () =>
    group('company', text(`${COMPANY}.registered_name`, 'registered_name', 'organization')),
  [`${COMPANY}.structure`]: ({ country, entityType }) =>
    group(
      'company',
      text(`${COMPANY}.structure`, 'structure', undefined, {
        kind: 'choice',
        called: 'structure',
        choices: countryRow(country ?? '').structures?.[entityType ?? ''] ?? [],
      }),
    ),
  [`${COMPANY}.address.line1`]: address('company', COMPANY),
  [`${COMPANY}.phone`]: () => group('company', phone(`${COMPANY}.phone`)),
  [`${COMPANY}.id_numbers`]: idNumber('company', COMPANY, 'business'),
  [`${PERSON}.given_name`]: () =>
    group('individual', text(`${PERSON}.given_name`, 'given_name', 'given-name')),
  [`${PERSON}.surname`]: () => group('individual', text(`${PERSON}.surname`, 'surname', 'family-name')),
  [`${PERSON}.date_of_birth`]: () => group('individual', dateOfBirth(`${PERSON}.date_of_birth`)),
  [`${PERSON}.address.line1`]: address('individual', PERSON),
  [`${PERSON}.phone`]: () => group('individual', phone(`${PERSON}.phone`)),
  [`${PERSON}.id_numbers`]: idNumber('individual', PERSON, 'individual'),
  'configuration.merchant.mcc': () =>
    group('business', text('configuration.merchant.mcc', 'mcc', 'off', { kind: 'category', hint: 'mcc' })),
  'defaults.profile.business_url': () => ({
    section: 'business',
    any: true,
    hint: 'website_or_description',
    fields: [
      text('defaults.profile.business_url', 'business_url', 'url', {
        kind: 'url',
        required: false,
        oneOfSeveral: true,
        max: 2_000,
      }),
      text('defaults.profile.product_description', 'product_description', undefined, {
        kind: 'area',
        required: false,
        oneOfSeveral: true,
        max: 5_000,
      }),
    ],
  }),
  [`${KONBINI}.email`]: () => group('other', email(`${KONBINI}.email`, 'support_email')),
  [`${KONBINI}.phone`]: () => group('other', phone(`${KONBINI}.phone`, 'support_phone')),
  [`${KONBINI}.hours`]: () =>
    group(
      'other',
      text(`${KONBINI}.hours.start_time`, 'start_time', undefined, { kind: 'time' }),
      text(`${KONBINI}.hours.end_time`, 'end_time', undefined, { kind: 'time' }),
    ),
  'configuration.merchant.bacs_debit_payments.display_name': () =>
    group('other', text('configuration.merchant.bacs_debit_payments.display_name', 'bacs_name')),
};

const SECTIONS: readonly Section[] = ['contact', 'business', 'company', 'individual', 'other'];

/** The groups for these requirements, by section. */
export function groupsOf(paths: readonly string[], place: Place): Group[] {
  const asked = new Set(paths);
  const groups = Object.entries(GROUPS)
    .filter(([path]) => asked.has(path))
    .map(([, make]) => make(place))
    .filter(({ fields }) => fields.length > 0);
  return SECTIONS.flatMap((section) => groups.filter((one) => one.section === section));
}

/** Whether the page has inputs for a requirement. */
export function isAsked(path: string): boolean {
  return Object.hasOwn(GROUPS, path) || BASICS.includes(path);
}

/** All other fields depend on these. */
export const BASICS: readonly string[] = ['identity.country', 'identity.entity_type', 'tax_location.country'];

const COMMONEST_FIRST = ['individual', 'company', 'non_profit', 'government_entity'] as const;

export function basicsFields({ country, entityType }: Place, countries: readonly string[]): Field[] {
  const types = countryRow(country ?? '').entity_types ?? ENTITY_TYPES;
  return [
    ...(country === undefined
      ? [
          text('identity.country', 'country', 'country', {
            kind: 'choice',
            choices: countries,
            called: 'country',
          } as const),
        ]
      : []),
    ...(entityType === undefined || types.length > 0
      ? [
          text('identity.entity_type', 'entity_type', undefined, {
            kind: 'radio',
            choices: COMMONEST_FIRST.filter((type) => types.includes(type)),
            called: 'entityTypes',
          } as const),
        ]
      : []),
  ];
}

/** The fields of a person. */
export function personGroups(country: string | undefined, countries: readonly string[]): Group[] {
  const groups: Group[] = [
    {
      section: 'individual',
      fields: [
        text('given_name', 'given_name', 'off'),
        text('surname', 'surname', 'off'),
        text('relationship.title', 'title', 'off', { required: false }),
        dateOfBirth('date_of_birth', false),
        email('email', 'email', { required: false, autocomplete: 'off' }),
        phone('phone', 'phone', { required: false, autocomplete: 'off' }),
      ],
    },
    {
      section: 'individual',
      legend: 'address',
      hint: country === 'JP' ? 'ascii' : undefined,
      fields: [
        ...addressFields('address', undefined, false).map((field) => ({ ...field, autocomplete: 'off' })),
        text('address.country', 'country', 'off', {
          kind: 'choice',
          choices: countries,
          called: 'country',
          required: false,
        }),
      ],
    },
    {
      section: 'individual',
      legend: 'idNumber',
      fields: idNumberFields('id_numbers', 'individual', country, false),
    },
  ];
  return groups.filter(({ fields }) => fields.length > 0);
}
