/** The config of scheduled backups. */
import { type Static, Type } from 'plugboard/sdk';

const kept = (what: string, value: number) =>
  Type.Integer({ minimum: 0, maximum: 1000, default: value, description: `How many of the last ${what}` });

export const BackupSettings = Type.Object(
  {
    directory: Type.String({ minLength: 1, folder: true, description: 'The folder that they go into' }),
    everyHours: Type.Number({
      minimum: 0.1,
      maximum: 24 * 31,
      default: 24,
      description: 'Hours from one to the next',
    }),
    keep: Type.Object(
      {
        hours: kept('hours keep their newest backup', 0),
        days: kept('days keep their newest backup', 7),
        weeks: kept('weeks, from Monday on, keep their newest backup', 4),
        months: kept('months keep their newest backup', 12),
      },
      {
        additionalProperties: false,
        default: {},
        description: 'What is not removed, in UTC; the newest backup never is',
      },
    ),
    encryptTo: Type.Array(Type.String({ pattern: '^age1[a-z0-9]{1,4000}$' }), {
      maxItems: 16,
      default: [],
      description:
        'Public keys of age (age-keygen makes them); the server cannot read what it has encrypted to them',
    }),
    after: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        description:
          'A program and its arguments, run after each backup, such as to copy it elsewhere; {} is its folder. No shell',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Backups while the server runs, each restored and checked',
  },
);
export type BackupSettings = Static<typeof BackupSettings>;
