/** `plugboard memory restore ID`: restores the entries that a summary replaced. */
import { isServiceError, UserError, type Command } from 'plugboard/sdk';
import type { Entries } from '../engine/entries/entries.js';

export function restoreCommand(entries: Entries): Command {
  return {
    name: 'memory restore',
    summary: 'brings back the memories that a summary took the place of, and removes the summary',
    usage: 'SUMMARY-ID',
    examples: ['plugboard memory restore 0b0e7a52-9c2c-4f0e-8f0a-2b1c3d4e5f60'],
    async run({ args: [id], stdout }) {
      if (id === undefined) throw new UserError('name the summary by its id');
      try {
        const { restored, kept } = await entries.restore(id);
        stdout.write(`restored ${restored}\n`);
        if (kept > 0) stdout.write(`${kept} stay archived: their keys name other memories by now\n`);
      } catch (error) {
        if (isServiceError(error)) throw new UserError(error.message);
        throw error;
      }
    },
  };
}
