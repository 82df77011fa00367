/** What a repository hook gets of an event: GitHub's payload, as far as the event carries it. */

/** The event in a change. */
export interface ToldEvent {
  readonly type: string;
  readonly public: boolean;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly actor: { readonly id: number; readonly login: string };
  /** `owner/name` */
  readonly repo: { readonly id: number; readonly name: string };
  readonly org?: { readonly id: number; readonly login: string };
}

export function webhookPayload(event: ToldEvent): object {
  const { type, payload, actor, repo, org } = event;
  return {
    ...(type === 'PushEvent' ? pushPayload(event) : payload),
    repository: repositoryOf(repo, !event.public),
    ...(org && { organization: { id: org.id, login: org.login } }),
    sender: { id: actor.id, login: actor.login, type: 'User' },
  };
}

export function repositoryOf({ id, name: fullName }: ToldEvent['repo'], isPrivate: boolean): object {
  const [owner = '', name = ''] = fullName.split('/');
  return { id, name, full_name: fullName, private: isPrivate, owner: { name: owner, login: owner } };
}

/** The feed has a commit's `sha` and the newest as `head`; a webhook has `id` and `after`. */
function pushPayload({ payload, actor }: ToldEvent): object {
  const { head, before = null, after = head ?? null, commits: listed } = payload;
  const commits = (Array.isArray(listed) ? (listed as unknown[]) : []).map(commitOf);
  return {
    ...payload,
    before,
    after,
    created: isNothing(before),
    deleted: isNothing(after),
    forced: false,
    base_ref: null,
    commits,
    head_commit: commits.at(-1) ?? null,
    pusher: { name: actor.login },
  };
}

function commitOf(listed: unknown): unknown {
  if (typeof listed !== 'object' || listed === null || !('sha' in listed)) return listed;
  const { sha, ...commit } = listed;
  return { id: sha, ...commit };
}

/** The null commit, which is on one side of a created or deleted branch. */
function isNothing(commit: unknown): boolean {
  return typeof commit === 'string' && /^0+$/.test(commit);
}
