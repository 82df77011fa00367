/** Row policies and grants as the file declares them. */
import { parseClaimPath } from './claim-path.js';
import type { Command, Grant, Granted, Policy, RelationName, Rule, RuleTerm } from './model.js';
import type { Reading } from './reading.js';
import type { Place } from './source.js';

const COMMANDS: readonly Command[] = ['select', 'insert', 'update', 'delete'];
const FOR: readonly (Command | 'all')[] = ['all', ...COMMANDS];

/** By role; undefined without the key: then only scopes decide. */
export function readGrants(reading: Reading, place: Place | undefined): Map<string, Grant> | undefined {
  if (place === undefined) return undefined;
  return new Map(
    [...reading.members(place)].map(([role, inner]): [string, Grant] => {
      const members = reading.members(inner, COMMANDS);
      return [
        role,
        {
          select: granted(reading, members.get('select')),
          insert: granted(reading, members.get('insert')),
          update: granted(reading, members.get('update')),
          delete: reading.flag(members.get('delete')),
        },
      ];
    }),
  );
}

/** `"*"`, `true`, or a list of columns. */
function granted(reading: Reading, place: Place | undefined): Granted {
  if (place === undefined || place.value === false) return [];
  return place.value === '*' || place.value === true ? '*' : reading.texts(place);
}

export function readPolicies(reading: Reading, schema: string, place: Place | undefined): Policy[] {
  return [...reading.members(place)].map(([name, inner]) => readPolicy(reading, schema, name, inner));
}

function readPolicy(reading: Reading, schema: string, name: string, place: Place): Policy {
  const members = reading.members(place, ['as', 'for', 'to', 'using', 'check']);
  const named = members.get('for');
  const commands =
    named?.items === undefined
      ? [reading.oneOf(named, FOR, 'all')]
      : named.items.map((one) => reading.oneOf(one, FOR, 'all'));
  const using = members.get('using');
  const check = members.get('check');
  for (const command of commands) {
    if (command === 'insert' ? check === undefined : using === undefined) {
      reading.source.error(
        place,
        `a policy for ${command} needs "${command === 'insert' ? 'check' : 'using'}"`,
      );
    }
  }
  if (using !== undefined && commands.every((command) => command === 'insert'))
    reading.source.error(using, 'a policy for insert takes "check", as there is no row yet');
  if (check !== undefined && commands.every((command) => command === 'select' || command === 'delete'))
    reading.source.error(check, 'a policy for select or delete takes "using" alone, as it stores no row');
  const to = members.get('to');
  return {
    name,
    restrictive:
      reading.oneOf(members.get('as'), ['permissive', 'restrictive'], 'permissive') === 'restrictive',
    commands,
    to: to === undefined ? undefined : to.items === undefined ? textsOf(reading.text(to)) : reading.texts(to),
    using: using && readRule(reading, schema, using),
    check: check && readRule(reading, schema, check),
  };
}

function textsOf(text: string | undefined): string[] {
  return text === undefined ? [] : [text];
}

/** `true`, `false`, or a mapping of conditions that must all hold. */
function readRule(reading: Reading, schema: string, place: Place): Rule {
  if (place.value === true) return [];
  if (place.value === false) return [{ kind: 'never' }];
  return [...reading.members(place)].flatMap(([name, value]) => readTerm(reading, schema, name, value));
}

function readTerm(reading: Reading, schema: string, name: string, place: Place): RuleTerm[] {
  if (name === 'exists') {
    return [...reading.members(place)].map(([relation, inner]): RuleTerm => ({
      kind: 'exists',
      relation: relationName(schema, relation),
      rule: readRule(reading, schema, inner),
    }));
  }
  const texts = (place.items ?? [place]).flatMap((item) => reading.text(item) ?? []);
  if (!name.startsWith('$')) return texts.map((value): RuleTerm => ({ kind: 'filter', name, value }));
  const path = name.startsWith('$jwt.') ? parseClaimPath(name.slice('$jwt.'.length)) : undefined;
  if (path === undefined) {
    reading.source.error(
      place,
      `"${name}" names no claim: "$jwt.NAME", with other names than words in quotes`,
    );
    return [];
  }
  return texts.map((value): RuleTerm => ({ kind: 'claim', path, value }));
}

/** `memberships`, or `private.memberships`. */
function relationName(schema: string, name: string): RelationName {
  const dot = name.indexOf('.');
  return dot === -1
    ? { schema, relation: name }
    : { schema: name.slice(0, dot), relation: name.slice(dot + 1) };
}
