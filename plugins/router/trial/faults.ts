/** Why an upstream did not answer, in words that say what to do. */
import { suggest } from 'plugboard/sdk';
import type { AttemptFailure } from '../call/failure.js';
import { modelsOf } from '../models-list.js';
import type { Upstream } from '../upstream/upstream.js';

/** Names that are listed. */
const NAMED = 10;

export async function faultOf(failure: AttemptFailure, upstream: Upstream, model: string): Promise<string> {
  const { kind, code, rejection } = failure;
  const { name, baseUrl } = upstream;
  switch (kind) {
    case 'skipped':
      return `upstream "${name}" has no API key: its apiKey is empty, as an environment variable that is not set leaves it`;
    case 'unauthorized':
      return code === 'http_402'
        ? `upstream "${name}" says that the account of our key has no credit left (402)`
        : `upstream "${name}" does not accept our API key (${status(code)}): check its apiKey`;
    case 'forbidden':
      return `upstream "${name}" does not let our API key use "${model}" (403)`;
    case 'rate_limited':
      return `upstream "${name}" is at its limit for our key (429)${wait(failure)}`;
    case 'unknown_model':
      return unknownModel(upstream, model);
    case 'unreachable':
      return (
        UNREACHABLE[code]?.(baseUrl) ??
        `upstream "${name}" at ${baseUrl} cannot be reached${because(failure)}`
      );
    case 'timeout':
      return `upstream "${name}" at ${baseUrl} did not answer in time (${code})`;
    case 'invalid':
      return `what answers at ${baseUrl} does not speak ${upstream.kind.wire} (${code}): check baseUrl and dialect of upstream "${name}"`;
    default:
      return rejection === undefined
        ? `upstream "${name}" failed (${code})`
        : `upstream "${name}" refused the question (${status(code)}): ${rejection.message}`;
  }
}

const UNREACHABLE: Readonly<Record<string, (baseUrl: string) => string>> = {
  connection_refused: (baseUrl) => `nothing listens at ${baseUrl}: is the server there started?`,
  host_not_found: (baseUrl) => `the host of ${baseUrl} is not known: check the address`,
  host_unreachable: (baseUrl) => `the host of ${baseUrl} cannot be reached from here`,
  certificate_refused: (baseUrl) =>
    `the certificate of ${baseUrl} is signed by nobody that is trusted: give its signer in "ca"`,
};

async function unknownModel(upstream: Upstream, model: string): Promise<string> {
  const { name, baseUrl } = upstream;
  const listed = await modelsOf(upstream).catch(() => undefined);
  if (listed === undefined || listed.length === 0)
    return `${baseUrl} answers 404: it does not know "${model}", or the path of baseUrl is not right (OpenAI's ends with /v1)`;
  const near = suggest(model, listed);
  const some = listed.slice(0, NAMED).join(', ');
  return `upstream "${name}" does not know "${model}"; ${near === undefined ? '' : `did you mean "${near}"? `}it lists ${some}${listed.length > NAMED ? ', ...' : ''}`;
}

function status(code: string): string {
  return code.replace('http_', '');
}

function wait({ retryAfter }: AttemptFailure): string {
  return retryAfter === undefined ? '' : `; it asks for ${Math.ceil(retryAfter / 1_000)} s`;
}

function because({ cause }: AttemptFailure): string {
  return cause instanceof Error && cause.message !== '' ? `: ${cause.message}` : '';
}
