/** Authorizations and users as clients see them. `base`: the API's address without a trailing slash. */
import type { UserProfile } from 'plugboard/sdk';
import type { Checked } from './application-tokens.js';
import type { Shown } from './authorizations.js';
import type { Authorization, CheckedAuthorization, User } from './schema.js';

/** For personal authorizations, which belong to no application. */
const NO_CLIENT = '0'.repeat(20);

export function authorizationUrl(base: string, id: number): string {
  return `${base}/authorizations/${id}`;
}

export function present({ document, token }: Shown, base: string): Authorization {
  const { id, app, note, noteUrl, scopes, fingerprint, createdAt, updatedAt } = document;
  return {
    id,
    url: authorizationUrl(base, id),
    app:
      app === null
        ? { name: note ?? '', url: `${base}/authorizations`, client_id: NO_CLIENT }
        : { name: app.name, url: app.url, client_id: app.clientId },
    token,
    note,
    note_url: noteUrl,
    created_at: seconds(createdAt),
    updated_at: seconds(updatedAt),
    scopes,
    ...(fingerprint !== null && { fingerprint }),
  };
}

export function presentChecked(checked: Checked, base: string): CheckedAuthorization {
  return { ...present(checked, base), user: presentUser(checked.user, base) };
}

function presentUser({ login, id, imageId, type, siteAdmin }: UserProfile, base: string): User {
  const url = `${base}/users/${encodeURIComponent(login)}`;
  return {
    login,
    id,
    avatar_url: `https://www.gravatar.com/avatar/${encodeURIComponent(imageId)}?d=identicon`,
    image_id: imageId,
    url,
    html_url: `${base}/${encodeURIComponent(login)}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type,
    site_admin: siteAdmin,
  };
}

/** ISO 8601 without milliseconds, as clients of this API expect. */
function seconds(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}
