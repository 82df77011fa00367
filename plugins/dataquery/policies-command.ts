/** `plugboard catalog policies --as ROLE`: what a caller sees, by the code that answers them. */
import { UserError, type Command } from 'plugboard/sdk';
import type { Command as Right, Policy, Relation, Rule, RuleTerm } from './engine/catalog/model.js';
import { SERVER, type Caller } from './engine/policies/caller.js';
import { planRead } from './engine/plan/plan.js';
import { parseQuery } from './engine/query/parse.js';
import { readRows } from './engine/read/read.js';
import { readContext } from './front/api/context.js';
import type { DataService } from './service.js';

export function policiesCommand(service: DataService): Command {
  return {
    name: 'catalog policies',
    summary: 'What a role may do by grants and policies, and how many rows it sees',
    examples: [
      'plugboard catalog policies --as anon',
      'plugboard catalog policies --as authenticated --claims \'{"sub":"ann"}\'',
    ],
    options: {
      as: { type: 'string', multiple: true, value: 'ROLE', summary: 'the role; several add up' },
      claims: { type: 'string', value: 'JSON', summary: 'the claims of the token, as a JSON object' },
    },
    async run({ options, stdout }) {
      const roles = [options['as'] ?? []].flat().map(String);
      if (roles.length === 0) throw new UserError('name the role: --as ROLE');
      const claims = claimsIn(options['claims']);
      const caller: Caller = { id: 'command line', roles, claims, bypasses: false, anonymous: false };
      for (const name of service.state.catalog.exposed) {
        for (const relation of service.state.catalog.schemas.get(name)?.relations.values() ?? [])
          stdout.write(`${await described(service, relation, caller)}\n`);
      }
    },
  };
}

function claimsIn(text: unknown): Readonly<Record<string, unknown>> {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(String(text));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Readonly<Record<string, unknown>>;
  } catch {
    // Reported below.
  }
  throw new UserError('--claims takes a JSON object, {"sub":"ann"}');
}

async function described(service: DataService, relation: Relation, caller: Caller): Promise<string> {
  const { rights } = service.context(caller).state.cache;
  const granted = (command: Exclude<Right, 'delete'>): string => {
    const columns = rights.granted(relation, command);
    const list = columns === '*' ? 'all columns' : columns.join(', ');
    return `  ${command}: ${list === '' ? 'nothing' : list}`;
  };
  const lines = [
    `${relation.schema}.${relation.name}`,
    ...(['select', 'insert', 'update'] as const).map(granted),
    `  delete: ${rights.mayDelete(relation) ? 'yes' : 'no'}`,
    `  rows: ${await rowsSeen(service, relation, caller)}`,
    ...relation.policies.filter(({ to }) => concerns(to, caller)).map(policyText),
  ];
  return lines.join('\n');
}

async function rowsSeen(service: DataService, relation: Relation, caller: Caller): Promise<string> {
  try {
    return `${await countFor(service, relation, caller)} of ${await countFor(service, relation, SERVER)}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function countFor(service: DataService, relation: Relation, caller: Caller): Promise<number> {
  const context = service.context(caller);
  const query = { ...parseQuery(''), select: [] };
  const level = planRead(context.state.cache, context.limits, relation, query);
  const window = { offset: 0, limit: 0 };
  const { total } = await readRows(readContext(context), level, { window, count: true, stripNulls: false });
  return total ?? 0;
}

function concerns(to: readonly string[] | undefined, { roles }: Caller): boolean {
  return to === undefined || to.some((role) => role === 'public' || roles.includes(role));
}

function policyText({ name, restrictive, commands, using, check }: Policy): string {
  const parts = [
    `  policy ${name}${restrictive ? ' (restrictive)' : ''} for ${commands.join(', ')}`,
    ...(using === undefined ? [] : [`using ${ruleText(using)}`]),
    ...(check === undefined ? [] : [`check ${ruleText(check)}`]),
  ];
  return parts.join(' ');
}

function ruleText(rule: Rule): string {
  return rule.length === 0 ? 'true' : rule.map(termText).join(' and ');
}

function termText(term: RuleTerm): string {
  switch (term.kind) {
    case 'filter':
      return `${term.name}=${term.value}`;
    case 'claim':
      return `$jwt.${term.path.join('.')}=${term.value}`;
    case 'exists':
      return `exists ${term.relation.relation} (${ruleText(term.rule)})`;
    case 'never':
      return 'false';
  }
}
