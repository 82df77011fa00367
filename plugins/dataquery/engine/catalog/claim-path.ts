/** Path of a claim in a token: `app_metadata.role`, `"https://example.com/role"`. */
import type { ClaimPath } from './model.js';

const NAME = /^(?:"([^"]+)"|([^."]+))(\.|$)/;

/** Undefined for an invalid path. */
export function parseClaimPath(text: string): ClaimPath | undefined {
  const path: string[] = [];
  let rest = text;
  for (;;) {
    const found = NAME.exec(rest);
    if (found === null) return undefined;
    path.push(found[1] ?? found[2]!);
    rest = rest.slice(found[0].length);
    if (found[3] === '') return path;
  }
}

/** Undefined if there is none; null is a value. */
export function claimAt(claims: Readonly<Record<string, unknown>>, path: ClaimPath): unknown {
  let place: unknown = claims;
  for (const name of path) {
    if (typeof place !== 'object' || place === null || Array.isArray(place)) return undefined;
    if (!Object.hasOwn(place, name)) return undefined;
    place = (place as Record<string, unknown>)[name];
  }
  return place;
}
