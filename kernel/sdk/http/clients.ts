/** Clients that a plugin knows by their headers: they get its dialect also on paths that no plugin serves. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ServiceError } from './errors.js';

export interface Clients {
  /** Whether the request comes from such a client. Must not throw. */
  recognise(headers: IncomingHttpHeaders): boolean;
  /** The answer to a path that no plugin serves, e.g. with what to call instead. Default: `not_found`. */
  unknownRoute?(request: UnknownRoute): ServiceError;
}

export interface UnknownRoute {
  readonly method: string;
  /** Without the query, and short enough for a message. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** Clients of GitHub-like services: octokit, PyGithub, go-github, `gh`, and any that ask for their media types. */
export const githubClients: Clients = {
  recognise: ({ accept = '', 'user-agent': agent = '', ...headers }) =>
    accept.includes('application/vnd.github') ||
    headers['x-github-api-version'] !== undefined ||
    /^(?:octokit|PyGithub|go-github|GitHub CLI)/i.test(agent),
};
