/** Hooks and deliveries as clients of GitHub-like services read them. */
import type { OwnDelivery, OwnEndpoint } from 'plugboard/sdk';
import type { RepositoryDocument } from '../directory/documents.js';
import { TYPE_PREFIX } from './change.js';
import { seconds } from '../store/text.js';
import { numberOf, plainHeaders, type HookMore } from './form.js';

/** Replaces a secret in responses; sent back, it means the current one. */
export const MASKED = '********';

/** `repositoryUrl`: the address of the repository in this API. */
export function presentHook(endpoint: OwnEndpoint, last: OwnDelivery | undefined, repositoryUrl: string) {
  const { updated } = endpoint.more as HookMore;
  const id = numberOf(endpoint.id);
  const url = `${repositoryUrl}/hooks/${id}`;
  return {
    type: 'Repository',
    id,
    name: 'web',
    active: !endpoint.paused,
    events: eventsOf(endpoint),
    config: presentConfig(endpoint),
    updated_at: updated,
    created_at: seconds(endpoint.createdAt),
    url,
    test_url: `${url}/tests`,
    ping_url: `${url}/pings`,
    deliveries_url: `${url}/deliveries`,
    last_response:
      last === undefined
        ? { code: null, status: 'unused', message: null }
        : {
            code: last.last.status,
            status: last.last.error === null ? 'active' : 'failed',
            message: last.last.error ?? 'OK',
          },
  };
}

export function presentConfig({ url, more }: OwnEndpoint) {
  const { contentType, signed } = more as HookMore;
  return { url, content_type: contentType, insecure_ssl: '0', ...(signed && { secret: MASKED }) };
}

export function eventsOf({ types }: Pick<OwnEndpoint, 'types'>): string[] {
  return types.map((type) => type.slice(TYPE_PREFIX.length));
}

export function presentDelivery(
  { id, change, type, again, last }: OwnDelivery,
  { id: repository }: RepositoryDocument,
) {
  return {
    id: numberOf(id),
    guid: change,
    delivered_at: last.at.toISOString(),
    redelivery: again,
    duration: last.milliseconds / 1_000,
    status: last.error ?? 'OK',
    status_code: last.status ?? 0,
    event: type.slice(TYPE_PREFIX.length),
    action: null as string | null,
    installation_id: null,
    repository_id: repository,
  };
}

/** With what was sent. The response is not kept. */
export function presentWholeDelivery(
  delivery: OwnDelivery & { readonly body: string },
  endpoint: OwnEndpoint,
  repository: RepositoryDocument,
) {
  const payload = JSON.parse(delivery.body) as Readonly<Record<string, unknown>>;
  const { action } = payload;
  return {
    ...presentDelivery(delivery, repository),
    action: typeof action === 'string' ? action : null,
    url: endpoint.url,
    request: { headers: plainHeaders(endpoint, { id: delivery.change, type: delivery.type }), payload },
    response: { headers: {}, payload: null },
  };
}
