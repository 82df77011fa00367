/** Rules on id numbers; `data/id-numbers.json` has the form of each type. */
import rows from '../data/id-numbers.json' with { type: 'json' };
import type { Refusal } from '../errors/errors.js';
import { countryOf, type Attempt, type Rule } from './attempt.js';

interface IdNumberRow {
  /** Allowed numbers of digits; for a `range`, minimum and maximum. */
  readonly digits?: readonly number[];
  /** Allowed numbers of letters and digits. */
  readonly characters?: readonly number[];
  readonly range?: boolean;
  /** A company register number. */
  readonly registry?: boolean;
}

const table: ReadonlyMap<string, IdNumberRow> = new Map(Object.entries(rows as Record<string, IdNumberRow>));
const ANY: IdNumberRow = { characters: [1, 40], range: true };

/** Structures without a company register entry. */
const UNREGISTERED = new Set([
  'sole_proprietorship',
  'unincorporated_association',
  'unincorporated_non_profit',
  'unincorporated_partnership',
]);

interface IdNumber {
  readonly path: string;
  readonly type: string;
  readonly value: string;
  readonly registrar?: string | null | undefined;
}

const SEPARATORS = /[ ./-]/g;
const DIGITS = /^[0-9]+$/;
const CHARACTERS = /^[A-Za-z0-9]+$/;
/** The XJustiz code of a German register court. */
const COURT = /^[A-Z][0-9]{4}[A-Z]?$/;

function hasForm(type: string, value: string): boolean {
  const { digits, characters, range } = table.get(type) ?? ANY;
  const bare = value.replace(SEPARATORS, '');
  const lengths = digits ?? characters ?? [];
  const fits = range
    ? bare.length >= (lengths[0] ?? 0) && bare.length <= (lengths[1] ?? 0)
    : lengths.includes(bare.length);
  return fits && (digits === undefined ? CHARACTERS : DIGITS).test(bare);
}

function refuse({ path, type, value, registrar }: IdNumber, attempt: Attempt): Refusal | undefined {
  const country = countryOf(attempt);
  const home = type.slice(0, 2).toUpperCase();
  if (country !== undefined && home !== country)
    return {
      code: 'incorrect_id_number_for_country',
      message: `${path}.type "${type}" belongs to ${home}, and identity.country is ${country}`,
    };
  const { entity_type: entity, business_details } = attempt.after.identity ?? {};
  const structure = business_details?.structure;
  const unregistered = entity === 'individual' || (structure !== undefined && UNREGISTERED.has(structure));
  if (unregistered && table.get(type)?.registry === true)
    return {
      code: 'invalid_id_number_for_structure',
      message: `${path}.type "${type}" is a number of the company register, which ${structure ?? entity} is not in`,
    };
  if (!hasForm(type, value))
    return { code: 'id_number_invalid', message: `${path}.value does not have the form of "${type}"` };
  if (registrar == null) return undefined;
  return type.startsWith('de_') && COURT.test(registrar)
    ? undefined
    : {
        code: 'invalid_id_number_registrar',
        message: type.startsWith('de_')
          ? `${path}.registrar is not the code of a register court, such as "D2601V"`
          : `${path}.registrar is for types of DE alone`,
      };
}

const idNumbers: Rule = (attempt) => {
  const { business_details: business, individual } = attempt.body.identity ?? {};
  const sent: IdNumber[] = [
    ...(business?.id_numbers ?? []).map((one, at) => ({
      ...one,
      path: `identity.business_details.id_numbers.${at}`,
    })),
    ...(individual?.id_numbers ?? []).map((one, at) => ({
      ...one,
      path: `identity.individual.id_numbers.${at}`,
    })),
  ];
  for (const one of sent) {
    const refusal = refuse(one, attempt);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
};

export const idNumberRules: readonly Rule[] = [idNumbers];
