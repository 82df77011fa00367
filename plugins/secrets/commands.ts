/** `plugboard secrets reseal`: reseals everything that plugins keep with the first key. */
import { type Command, type CommandCall, UserError } from 'plugboard/sdk';
import type { KeptSecrets, Resealed } from './kept.js';

export function secretCommands(kept: KeptSecrets): Command[] {
  return [
    {
      name: 'secrets reseal',
      summary: 'seal what is kept again with the first of providers.secrets.keys, so that the others can go',
      options: { json: { type: 'boolean', summary: 'print JSON' } },
      run: (call) => reseal(kept, call),
    },
  ];
}

async function reseal(kept: KeptSecrets, { options, stdout, signal }: CommandCall): Promise<void> {
  const all: Resealed[] = [];
  for await (const one of kept.reseal(signal)) {
    all.push(one);
    if (options['json'] !== true)
      stdout.write(`${one.what}: ${one.resealed} sealed again, ${one.current} were already\n`);
  }
  if (options['json'] === true) stdout.write(`${JSON.stringify({ resealed: all })}\n`);
  const lost = all.filter(({ unreadable }) => unreadable.length > 0);
  if (lost.length > 0)
    throw new UserError(
      [
        'no listed key opens these; put the key back that sealed them, or set them again:',
        ...lost.map(({ what, unreadable }) => `  ${what}: ${unreadable.slice(0, 20).join(', ')}`),
      ].join('\n'),
    );
}
