/** A `curl` that a new key can run: a GET without parameters that one of its scopes opens, found in the OpenAPI document. */

/** Undefined when no route needs nothing but the key. `base` is the address of the page. */
export function curlFor(description, { key, scopes }, base) {
  const found = scopes.map((scope) => pathFor(description, scope)).find((path) => path !== undefined);
  if (found === undefined) return undefined;
  return `curl '${new URL(found.slice(1), base).href}' -H 'Authorization: Bearer ${key}'`;
}

function pathFor({ paths, components }, scope) {
  const isBearer = (name) => components.securitySchemes[name]?.scheme === 'bearer';
  const opens = (requirement) =>
    Object.entries(requirement).some(
      ([name, scopes]) => isBearer(name) && (scopes.includes(scope) || (scope === '*' && scopes.length > 0)),
    );
  const fits = ([path, { get }]) =>
    get !== undefined &&
    !path.includes('{') &&
    !(get.parameters ?? []).some(({ required }) => required) &&
    (get.security ?? []).some(opens);
  return Object.entries(paths).find(fits)?.[0];
}
