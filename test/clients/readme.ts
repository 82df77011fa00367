/** The requests of the README, read from the commands that it tells people to type. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, type OpenApi, type Operation } from './served.js';

export interface ReadmeRequest {
  readonly method: string;
  /** As the OpenAPI document names it: `/repos/{owner}/{repo}/events`. */
  readonly template: string;
  readonly operation: Operation;
  readonly pathParams: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number>>;
  readonly body: unknown;
  /** `login:password`, in place of the key. */
  readonly basic: string | undefined;
}

export function readmeRequests(document: OpenApi): readonly ReadmeRequest[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const commands = Array.from(readme.matchAll(/^curl [\s\S]*?(?=\n```)/gm), ([text]) => text);
  return commands.map((command) => requestOf(command, document));
}

function requestOf(command: string, document: OpenApi): ReadmeRequest {
  const [, address = ''] = /(http:\/\/127\.0\.0\.1:8080[^\s"]*)/.exec(command) ?? [];
  const { pathname, searchParams } = new URL(address);
  const data = /-d '([^']*)'/.exec(command)?.[1];
  const method = /-s?X (\w+)/.exec(command)?.[1] ?? (data === undefined ? 'GET' : 'POST');
  for (const [template, methods] of Object.entries(document.paths)) {
    const operation = methods[method.toLowerCase()];
    const pathParams = operation && paramsOf(template, decodeURIComponent(pathname));
    if (operation === undefined || pathParams === undefined) continue;
    return {
      method,
      template,
      operation,
      pathParams,
      query: typed(searchParams, operation),
      body: data === undefined ? undefined : (JSON.parse(data) as unknown),
      basic: /-u "([^"]*)"/.exec(command)?.[1],
    };
  }
  throw new Error(`the OpenAPI document has no ${method} ${pathname}`);
}

/** Texts as the types of the parameters want them. */
function typed(given: URLSearchParams, { parameters = [] }: Operation): Record<string, string | number> {
  const isNumber = (name: string): boolean =>
    parameters.some((one) => one.name === name && ['integer', 'number'].includes(one.schema?.type ?? ''));
  return Object.fromEntries(
    Array.from(given, ([name, value]) => [name, isNumber(name) ? Number(value) : value]),
  );
}

/** Undefined: the path is not of this template. */
function paramsOf(template: string, path: string): Record<string, string> | undefined {
  const [names, values] = [template.split('/'), path.split('/')];
  if (names.length !== values.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, name] of names.entries()) {
    const value = values[at] ?? '';
    if (name.startsWith('{')) params[name.slice(1, -1)] = value;
    else if (name !== value) return undefined;
  }
  return params;
}
