/** `plugboard speech`: plans on the command line. */
import { UserError, type Auth, type Command } from 'plugboard/sdk';
import type { Plan, Plans } from './allowance/plans.js';

export function commands(plans: Plans, keys: Auth['keys']): Command[] {
  return [
    {
      name: 'speech plan',
      summary: "show or set a key's seconds of speech a month",
      usage: 'KEY-ID [SECONDS|default]',
      examples: ['plugboard speech plan 6f1c... 7200', 'plugboard speech plan 6f1c... default'],
      run: async ({ args: [key = '', seconds], stdout }) => {
        if ((await keys.byId(key)) === null)
          throw new UserError(
            `there is no API key with the id "${key}"; "plugboard keys list" shows the ids`,
          );
        stdout.write(line(await planFrom(plans, key, seconds)));
      },
    },
    {
      name: 'speech plans',
      summary: 'list the keys with a plan of their own',
      run: async ({ stdout }) => {
        for (const plan of await plans.list()) stdout.write(line(plan));
      },
    },
  ];
}

function planFrom(plans: Plans, key: string, seconds: string | undefined): Promise<Plan> {
  if (seconds === undefined) return plans.of(key);
  if (seconds === 'default') return plans.reset(key);
  const value = Number(seconds);
  if (!/^\d{1,10}$/.test(seconds) || value > 1_000_000_000)
    throw new UserError(`SECONDS must be a number from 0 to 1000000000, or "default", not "${seconds}"`);
  return plans.set(key, value);
}

function line({ key, seconds, isDefault }: Plan): string {
  return `${key}  ${seconds} s a month${isDefault ? ' (default)' : ''}\n`;
}
