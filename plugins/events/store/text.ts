/** The stored text of a record: what is sent, byte by byte. */
import type { AccountRecord, RepositoryRecord } from './record.js';

/** Placeholder for this server's address; JSON never holds it. */
const HERE = '\0';

export interface WholeEvent {
  readonly id: string;
  readonly type: string;
  readonly actor: AccountRecord & { readonly id: number };
  readonly repo: RepositoryRecord & { readonly id: number };
  readonly org: (AccountRecord & { readonly id: number }) | undefined;
  readonly payload: object;
  readonly public: boolean;
  readonly at: Date;
}

export function eventText({ id, type, actor, repo, org, payload, public: isPublic, at }: WholeEvent): string {
  const members = [
    `"id":${JSON.stringify(id)}`,
    `"type":${JSON.stringify(type)}`,
    `"actor":${accountText(actor, 'users')}`,
    `"repo":{"id":${repo.id},"name":${JSON.stringify(repo.name)},"url":${addressText(repo.url, `repos/${repo.name}`)}}`,
    `"payload":${JSON.stringify(payload)}`,
    `"public":${isPublic}`,
    `"created_at":${JSON.stringify(seconds(at))}`,
    ...(org === undefined ? [] : [`"org":${accountText(org, 'orgs')}`]),
  ];
  return `{${members.join(',')}}`;
}

function accountText(account: AccountRecord & { readonly id: number }, path: 'users' | 'orgs'): string {
  const { id, login, imageId = '', avatarUrl = '', url } = account;
  return `{"id":${id},"login":${JSON.stringify(login)},"image_id":${JSON.stringify(imageId)},"url":${addressText(url, `${path}/${login}`)},"avatar_url":${JSON.stringify(avatarUrl)}}`;
}

export function addressText(given: string | undefined, path: string): string {
  return given === undefined
    ? `"${HERE}/${path.split('/').map(encodeURIComponent).join('/')}"`
    : JSON.stringify(given);
}

/** `2026-01-02T03:04:05Z` */
export function seconds(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}

/** An archive's line is the record already, except for the name of one member. */
export function archiveText(line: string): string {
  return line.includes('"gravatar_id"') ? line.replaceAll(/"gravatar_id"\s*:/g, '"image_id":') : line;
}

/** The record with `public: false`. Changes only its own member, not one of the same name in the payload. */
export function asPrivate(text: string): string {
  const at = endOfOwnMember(text, '"public"');
  if (at === undefined) return `${text.trimEnd().slice(0, -1)},"public":false}`;
  const value = text.slice(at);
  const colon = value.indexOf(':') + 1;
  return `${text.slice(0, at)}:${value.slice(colon).replace(/^\s*(?:true|false)/, 'false')}`;
}

/** The record with another number of its actor or organization; nothing else is rewritten, least of all numbers. */
export function withNumber(text: string, member: 'actor' | 'org', id: number): string {
  const at = endOfOwnMember(text, `"${member}"`);
  const start = at === undefined ? -1 : text.indexOf('{', at);
  const inside = start === -1 ? undefined : endOfOwnMember(text.slice(start), '"id"');
  // Without a number it is left unchanged.
  if (inside === undefined) return text;
  const value = start + inside;
  return (
    text.slice(0, value) + text.slice(value).replace(/^(\s*:\s*)\d+/, (_, colon: string) => `${colon}${id}`)
  );
}

/** Where the name of a member of the record itself ends. */
function endOfOwnMember(text: string, quoted: string): number | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === '"') {
      const start = at;
      for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
      const isName = depth === 1 && text.startsWith(quoted, start) && at + 1 - start === quoted.length;
      if (isName && /^\s*:/.test(text.slice(at + 1, at + 20))) return at + 1;
    }
  }
  return undefined;
}
