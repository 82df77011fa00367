/** The list of keys: what each may do, when it was last used and whether it still works. */
import { make } from './dom.js';

const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** `plans` is undefined where no speech is served. `revoke` is called with the key whose button was pressed. */
export function showKeys(list, keys, plans, revoke) {
  const items = keys.map((key) => keyItem(key, plans, revoke));
  list.replaceChildren(...(items.length > 0 ? items : [make('li', {}, 'There are no keys.')]));
}

/** Moves the focus to a key; false when the list does not have it. */
export function focusKey(list, id) {
  const item = [...list.children].find(({ dataset }) => dataset.key === id);
  item?.focus();
  return item !== undefined;
}

function keyItem(key, plans, revoke) {
  const state = stateOf(key);
  const facts = [
    ['Scopes', key.scopes.join(', ') || 'none: it opens nothing'],
    ['Made', shownTime(key.createdAt)],
    ['Last used', key.lastUsedAt === null ? 'never' : shownTime(key.lastUsedAt)],
    ['Expires', key.expiresAt === null ? 'never' : shownTime(key.expiresAt)],
    ...(key.revokedAt === null ? [] : [['Revoked', shownTime(key.revokedAt)]]),
    ...(plans?.has(key.id) ? [['Speech', `${plans.get(key.id)} seconds a month`]] : []),
  ];
  const top = make(
    'div',
    { class: 'top' },
    make('h3', {}, key.name),
    make('code', {}, key.preview),
    make('span', { class: `state ${state}` }, state),
  );
  const details = facts.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]);
  const item = make(
    'li',
    { tabindex: '-1', 'data-key': key.id },
    top,
    make('dl', { class: 'facts' }, ...details),
  );
  if (state === 'revoked') return item;
  const button = make(
    'button',
    { type: 'button', class: 'danger', 'aria-label': `Revoke ${key.name}` },
    'Revoke',
  );
  button.addEventListener('click', () => revoke(key));
  item.append(button);
  return item;
}

function stateOf({ revokedAt, expiresAt }) {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'active';
}

function shownTime(text) {
  return time.format(new Date(text));
}
