/**
 * Free-form metadata in a form that one atomic update can merge: each top-level member is a field of its own, its name
 * escaped because dots and dollar signs are special in updates, its value as JSON.
 */

export function packMetadata(metadata: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [escapeName(name), JSON.stringify(value)]),
  );
}

export function unpackMetadata(packed: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(packed).map(([name, json]) => [unescapeName(name), JSON.parse(json) as unknown]),
  );
}

/** `a.b` becomes `_a%2Eb`; the underscore keeps empty and all-digit names from being special. */
function escapeName(name: string): string {
  return `_${name.replace(/[%.$\0]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`)}`;
}

function unescapeName(escaped: string): string {
  return escaped
    .slice(1)
    .replace(/%([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}
