/** `plugboard keys`: API keys on the command line. */
import type { Clock, Command, CommandCall } from 'plugboard/sdk';
import type { ApiKey, ApiKeys } from '../keys/api-keys.js';
import type { Grant } from '../keys/grant.js';
import { inADay } from '../keys/overlap.js';
import { parseExpiry } from './expiry.js';
import { JSON_OPTION, minute, print, table } from './output.js';
import { asUserErrors, oneArgument } from './usage.js';

export function keyCommands(keys: ApiKeys, grant: Grant, clock: Clock): Command[] {
  return [
    {
      name: 'keys create',
      summary: 'create an API key and print it, this once',
      usage: 'NAME',
      options: {
        scope: {
          type: 'string',
          multiple: true,
          value: 'SCOPE',
          summary: 'what the key may do, see "plugboard scopes"; repeat it for several; "*" is everything',
        },
        expires: {
          type: 'string',
          value: 'WHEN',
          summary: 'a time such as 2027-01-31, or a span such as 90d, 12h, 30m',
        },
        owner: {
          type: 'string',
          value: 'TENANT',
          summary: 'the tenant whose data the key works on; without it the key is one of its own',
        },
        from: {
          type: 'string',
          multiple: true,
          value: 'ADDRESS',
          summary: 'an address or network (10.0.0.0/8) that may use the key; repeat it for several',
        },
        publishable: {
          type: 'boolean',
          summary: 'a key for a page that everybody sees; it never opens the management',
        },
        ...JSON_OPTION,
      },
      examples: [
        'plugboard keys create laptop --scope chat --scope embeddings',
        'plugboard keys create ci --scope data:write --expires 90d',
      ],
      run: (call) => asUserErrors(() => create(keys, grant, clock, call)),
    },
    {
      name: 'keys list',
      summary: 'list the API keys, newest first',
      readOnly: true,
      options: JSON_OPTION,
      run: (call) => list(keys, clock, call),
    },
    {
      name: 'keys rotate',
      summary: 'give an API key another text and print it, this once; the text before works for a while',
      usage: 'ID',
      options: {
        until: {
          type: 'string',
          value: 'WHEN',
          summary: 'when the text before stops: a time, or a span such as 7d, 12h, 0m (1d)',
        },
        ...JSON_OPTION,
      },
      examples: ['plugboard keys rotate 019a2c --until 7d'],
      run: (call) => asUserErrors(() => rotate(keys, clock, call)),
    },
    {
      name: 'keys revoke',
      summary: 'revoke an API key at once, on every instance',
      usage: 'ID',
      options: JSON_OPTION,
      run: (call) => asUserErrors(() => revoke(keys, call)),
    },
  ];
}

async function create(keys: ApiKeys, grant: Grant, clock: Clock, call: CommandCall): Promise<void> {
  const name = oneArgument(call, 'NAME');
  const { scope = [], from = [], owner, publishable, expires } = call.options;
  const scopes = [scope].flat().map(String);
  const wanted = {
    name,
    scopes,
    owner: typeof owner === 'string' ? owner : null,
    addresses: [from].flat().map(String),
    publishable: publishable === true,
  };
  grant.checkForm(wanted);
  grant.checkKnown(scopes);
  const expiresAt = typeof expires === 'string' ? parseExpiry(expires, clock.now()) : null;
  const key = await keys.create({ ...wanted, expiresAt });
  print(call, key, [key.key]);
  call.stderr.write(`this key is shown once; its id is ${key.id}\n`);
  if (scopes.length === 0) call.stderr.write('it opens nothing: give a key what it may do with --scope\n');
}

async function list(keys: ApiKeys, clock: Clock, call: CommandCall): Promise<void> {
  const all = await keys.list();
  const rows = all.map((key) => [
    key.id,
    key.name,
    key.preview,
    key.scopes.join(' ') || '-',
    minute(key.createdAt),
    minute(key.lastUsedAt),
    state(key, clock.now()),
  ]);
  print(call, { keys: all }, table(['ID', 'NAME', 'KEY', 'SCOPES', 'CREATED', 'LAST USED', 'STATE'], rows));
}

function state({ expiresAt, revokedAt }: ApiKey, now: number): string {
  if (revokedAt !== null) return `revoked ${minute(revokedAt)}`;
  if (expiresAt === null) return 'active';
  return `${expiresAt.getTime() <= now ? 'expired' : 'until'} ${minute(expiresAt)}`;
}

async function rotate(keys: ApiKeys, clock: Clock, call: CommandCall): Promise<void> {
  const { until: when } = call.options;
  const now = clock.now();
  const until = typeof when === 'string' ? parseExpiry(when, now, 'until') : inADay(now);
  const key = await keys.rotate(oneArgument(call, 'ID'), until);
  print(call, key, [key.key]);
  call.stderr.write(`this key is shown once; the one before works until ${minute(until)}\n`);
}

async function revoke(keys: ApiKeys, call: CommandCall): Promise<void> {
  const key = await keys.revoke(oneArgument(call, 'ID'));
  print(call, key, [`revoked ${key.name} (${key.preview})`]);
}
