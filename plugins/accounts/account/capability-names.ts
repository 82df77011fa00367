/** Capabilities by dotted name: `card_payments`, `bank_accounts.ach`, `service_balance.payouts`. */

type Asked = Readonly<Record<string, unknown>> | undefined;

/** The capabilities that a body requests or gives up; undefined for one named without `requested`. */
export function readCapabilities(asked: Asked, prefix = ''): Record<string, boolean | undefined> {
  const found: Record<string, boolean | undefined> = {};
  for (const [name, value] of Object.entries(asked ?? {})) {
    if (typeof value !== 'object' || value === null) continue;
    if (isGroup(name)) Object.assign(found, readCapabilities(value as Asked, `${name}.`));
    else found[`${prefix}${name}`] = (value as { requested?: boolean }).requested;
  }
  return found;
}

/** `{ 'bank_accounts.ach': x, cards: y }` as `{ bank_accounts: { ach: x }, cards: y }`. */
export function nestCapabilities<T>(flat: Readonly<Record<string, T>>): Record<string, unknown> {
  const nested: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(flat)) {
    const [group, inner] = name.split('.');
    if (inner === undefined) nested[name] = value;
    else nested[group ?? ''] = { ...(nested[group ?? ''] as object | undefined), [inner]: value };
  }
  return nested;
}

function isGroup(name: string): boolean {
  return name === 'bank_accounts' || name === 'service_balance';
}
