/** `plugboard audit`: who did what, and whether the log is complete. */
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError, type AuditRecord, type Command, type CommandCall } from 'plugboard/sdk';
import type { Chain } from './chain.js';
import { shown } from './record.js';
import { verify } from './verify.js';

/** Milliseconds between two polls of `--follow`. */
const POLL = 500;
const PAGE = 200;

export function auditCommands(chain: Chain): Command[] {
  return [
    {
      name: 'audit',
      summary: 'list who did what to the server, the newest last',
      readOnly: true,
      options: {
        limit: { type: 'string', value: 'N', summary: 'how many (50; at most 10000)' },
        follow: { type: 'boolean', summary: 'go on with what happens' },
        json: { type: 'boolean', summary: 'print one JSON document a line' },
      },
      examples: ['plugboard audit --follow', 'plugboard audit --json --limit 1000'],
      run: (call) => list(chain, call),
    },
    {
      name: 'audit verify',
      summary: 'check that no record was changed or removed',
      readOnly: true,
      options: { json: { type: 'boolean', summary: 'print JSON' } },
      run: (call) => check(chain, call),
    },
  ];
}

async function list({ records }: Chain, { options, stdout, signal }: CommandCall): Promise<void> {
  const limit = Number(options['limit'] ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
    throw new UserError(`--limit is a number from 1 to 10000, not "${String(options['limit'])}"`);
  const print = (record: AuditRecord): void =>
    void stdout.write(`${options['json'] === true ? JSON.stringify(record) : line(record)}\n`);
  const found = await records.find({}, { sort: { _id: -1 }, limit }).toArray();
  for (const document of found.toReversed()) print(shown(document));
  if (options['follow'] !== true) return;
  let after = found[0]?._id ?? '';
  while (!signal.aborted) {
    const more = await records.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: PAGE }).toArray();
    for (const document of more) print(shown(document));
    after = more.at(-1)?._id ?? after;
    if (more.length < PAGE) await sleep(POLL, undefined, { signal }).catch(() => {});
  }
}

async function check(chain: Chain, { options, stdout }: CommandCall): Promise<void> {
  const { records, chains, open, faults } = await verify(chain);
  if (options['json'] === true) stdout.write(`${JSON.stringify({ records, chains, open, faults })}\n`);
  const whole = `${records} records in ${chains} chains`;
  if (faults.length > 0)
    throw new UserError(
      [
        `${whole}, not as they were written:`,
        ...faults.map((each) => `  ${each.chain} ${each.seq}: ${each.fault}`),
      ].join('\n'),
    );
  if (options['json'] !== true)
    stdout.write(`${whole}, all as they were written; ${open} without a result\n`);
}

function line({ at, outcome, actor, name, address, action, target, reason, count }: AuditRecord): string {
  const who = name === undefined || name === actor ? actor : `${name} (${actor})`;
  return [
    at,
    outcome,
    who,
    address,
    action,
    target,
    reason,
    count === undefined ? undefined : `${count} times`,
  ]
    .filter((part) => part !== undefined)
    .join('  ');
}
