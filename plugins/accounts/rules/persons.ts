/** Rules on the persons of an account: the individual, and those in the registry. */
import type { Rule } from './attempt.js';

/** A decimal of up to six places as exact millionths. */
function millionths(decimal: string): bigint {
  const [whole = '0', part = ''] = decimal.split('.');
  return BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, '0'));
}

const ALL = 100_000_000n;

const ownership: Rule = ({ operation, body, after, references }) => {
  if (body.identity?.individual?.relationship == null) return undefined;
  const { owner, percent_ownership: percent } = after.identity?.individual?.relationship ?? {};
  if (percent === undefined) return undefined;
  const share = millionths(percent);
  if (owner === true && share === 0n)
    return {
      code: 'person_percent_ownership_invalid',
      message: 'identity.individual.relationship.percent_ownership of an owner must be more than 0',
    };
  if (operation === 'create')
    return share > ALL
      ? {
          code: 'invalid_fields',
          message: 'identity.individual.relationship.percent_ownership must not be more than 100',
        }
      : undefined;
  const total = references.persons.reduce(
    (sum, { percent_ownership }) => sum + millionths(percent_ownership ?? '0'),
    share,
  );
  return total > ALL
    ? {
        code: 'total_person_ownership_exceeded',
        message:
          'identity.individual.relationship.percent_ownership makes the persons own more than 100 percent',
      }
    : undefined;
};

const duplicate: Rule = ({ operation, body, after, references }) => {
  if (operation !== 'update' || body.identity?.individual == null) return undefined;
  const { given_name, surname, date_of_birth } = after.identity?.individual ?? {};
  if (given_name === undefined || surname === undefined || date_of_birth === undefined) return undefined;
  const same = references.persons.find(
    (person) =>
      folded(person.given_name) === folded(given_name) &&
      folded(person.surname) === folded(surname) &&
      person.date_of_birth?.day === date_of_birth.day &&
      person.date_of_birth?.month === date_of_birth.month &&
      person.date_of_birth?.year === date_of_birth.year,
  );
  return same === undefined
    ? undefined
    : {
        code: 'duplicate_person_not_allowed',
        message: `identity.individual has the name and date of birth of the person "${same.id}"`,
        extra: { duplicate_person_id: same.id },
      };
};

function folded(name: string | undefined): string | undefined {
  return name?.normalize('NFC').toLowerCase().trim();
}

export const personRules: readonly Rule[] = [ownership, duplicate];
