/** The change that endpoints get for a published event. */
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

/** `pull_request` for `PullRequestEvent`. */
export function webhookName(type: string): string {
  const words = type.replace(/Event$/, '');
  return words.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
