/** Chooses the compressed copy of a file for a client (RFC 9110 12.5.3). */

const COPIES = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
] as const;

export type Copy = (typeof COPIES)[number];

/** The smallest copy that `accept-encoding` takes; undefined for the file itself. */
export function chooseCopy(accepted: string | undefined): Copy | undefined {
  const taken = new Set<string>();
  for (const part of (accepted ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    if (!parameters.some((text) => /^q=0(\.0*)?$/.test(text))) taken.add(name);
  }
  return COPIES.find(({ encoding }) => taken.has(encoding));
}
