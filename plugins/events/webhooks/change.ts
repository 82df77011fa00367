/** The change that endpoints get for a published event. */
import { createHash } from 'node:crypto';
import type { NotedChange } from 'plugboard/sdk';
import { seconds, type WholeEvent } from '../store/text.js';

/** `events.push` for a `PushEvent`: the name of its webhook. */
export const TYPE_PREFIX = 'events.';

export function changeOf({
  id,
  type,
  actor,
  repo,
  org,
  payload,
  public: isPublic,
  at,
}: WholeEvent): NotedChange {
  return {
    type: TYPE_PREFIX + webhookName(type),
    id: changeId(id),
    subject: repo.name,
    group: String(repo.id),
    data: {
      ...{ id, type, public: isPublic, created_at: seconds(at), payload },
      actor: { id: actor.id, login: actor.login },
      repo: { id: repo.id, name: repo.name },
      ...(org && { org: { id: org.id, login: org.login } }),
    },
  };
}

/** Of an event's change. Receivers expect a UUID; this one (version 8, RFC 9562) is found again when the event is erased. */
export function changeId(event: string): string {
  const hex = createHash('sha256').update(event).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** `pull_request` for `PullRequestEvent`. */
export function webhookName(type: string): string {
  const words = type.replace(/Event$/, '');
  return words.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
