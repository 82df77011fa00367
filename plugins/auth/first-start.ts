/** The first start of a deployment: an administrator's password and a first API key, shown once. */
import type { Writable } from 'node:stream';
import { randomToken } from 'plugboard/sdk';
import type { AdminSettings } from './admin/settings.js';
import type { Sessions } from './admin/sessions.js';
import type { ApiKeys } from './keys/api-keys.js';
import { newApiKey } from './keys/key-format.js';

export interface FirstStart {
  /** From the config; else generated and shown. */
  readonly adminPassword?: string;
  readonly firstKey?: string;
}

const FIRST_KEY = { name: 'first key', scopes: ['*'] };

/**
 * Runs at every start and acts at the first. Each credential is stored before it is shown, under a unique id: of
 * several instances that start together one shows it.
 */
export async function firstStart(
  config: FirstStart,
  parts: { admin: AdminSettings; sessions: Sessions; keys: ApiKeys; stdout: Writable },
): Promise<void> {
  const lines = [
    ...(await ensurePassword(config.adminPassword, parts.admin, parts.sessions)),
    ...(await ensureKey(config.firstKey, parts.keys)),
  ];
  if (lines.length > 0) parts.stdout.write(banner(lines));
}

async function ensurePassword(
  configured: string | undefined,
  admin: AdminSettings,
  sessions: Sessions,
): Promise<string[]> {
  if (configured !== undefined) {
    if (await admin.adoptPassword(configured)) await sessions.endOthers(undefined, undefined);
    return [];
  }
  if (await admin.hasPassword()) return [];
  const password = randomToken(15);
  return (await admin.setFirstPassword(password)) ? [`admin password   ${password}`] : [];
}

async function ensureKey(configured: string | undefined, keys: ApiKeys): Promise<string[]> {
  if (configured !== undefined) {
    await keys.keep('first', configured, FIRST_KEY);
    return [];
  }
  const key = newApiKey();
  return (await keys.createOnce('first', key, FIRST_KEY)) ? [`first API key    ${key}   (scope *)`] : [];
}

const HINT = `  An application gets a key of its own that can do one thing (see plugboard scopes):

    plugboard keys create NAME --scope SCOPE
`;

function banner(lines: readonly string[]): string {
  const rule = '-'.repeat(76);
  const body = lines.map((line) => `    ${line}\n`).join('');
  return `\n${rule}\n  First start. This is shown once, and stored only as a hash:\n\n${body}\n${HINT}${rule}\n\n`;
}
