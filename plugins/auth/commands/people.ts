/** `plugboard people`: a person's data, over all plugins. */
import { type Command, type CommandCall, type People, type Person, UserError } from 'plugboard/sdk';
import type { Erasures } from '../people/erasures.js';
import { JSON_OPTION, print } from './output.js';
import { asUserErrors, oneArgument } from './usage.js';

export interface PeopleParts {
  readonly people: People;
  readonly erasures: Erasures;
  /** By login, or by `ISSUER|SUBJECT`. */
  readonly find: (name: string) => Promise<Person>;
}

export function peopleCommands(parts: PeopleParts): Command[] {
  return [
    {
      name: 'people export',
      summary: 'print what plugins keep of a person, one JSON document a line',
      usage: 'LOGIN',
      examples: ['plugboard people export ann > ann.jsonl', "plugboard people export 'app|auth0|1'"],
      run: (call) => asUserErrors(() => exportAll(parts, call)),
    },
    {
      name: 'people erase',
      summary: 'remove a person from the directory, and what plugins keep of them',
      usage: 'LOGIN',
      options: JSON_OPTION,
      run: (call) => asUserErrors(() => erase(parts, call)),
    },
  ];
}

async function exportAll({ people, find }: PeopleParts, call: CommandCall): Promise<void> {
  const person = await find(oneArgument(call, 'LOGIN'));
  const plugins = people.list();
  if (plugins === undefined) throw new UserError('start the server first: each plugin is asked for its part');
  for (const { plugin, data } of plugins) {
    for await (const record of data.export(person)) {
      call.signal.throwIfAborted();
      call.stdout.write(`${JSON.stringify({ plugin, ...record })}\n`);
    }
  }
}

async function erase({ erasures, find }: PeopleParts, call: CommandCall): Promise<void> {
  const name = oneArgument(call, 'LOGIN');
  const erased = await erasures.erase(await find(name));
  const lines =
    erased === undefined
      ? [`${name} is out; what plugins keep is erased when the server runs with all of them`]
      : [
          `erased ${name}`,
          ...Object.entries(erased).map(([plugin, count]) => `  ${plugin}: ${count} records`),
        ];
  print(call, { erased: erased ?? null }, lines);
}
