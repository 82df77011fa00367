/** Who may manage the hooks of a repository. Others do not even learn that it exists. */
import type { Auth, Principal, Reply, Request } from 'plugboard/sdk';
import type { Directory } from '../directory/directory.js';
import type { RepositoryDocument } from '../directory/documents.js';
import { errors } from '../errors.js';

export type HookAction = 'read' | 'write' | 'delete';

/** The scopes of tokens, any one of which suffices. API keys have `events:write`. */
const SCOPES: Readonly<Record<HookAction, readonly string[]>> = {
  read: ['admin:repo_hook', 'write:repo_hook', 'read:repo_hook', 'repo'],
  write: ['admin:repo_hook', 'write:repo_hook', 'repo'],
  delete: ['admin:repo_hook', 'repo'],
};

export interface AccessParts {
  readonly auth: Auth;
  readonly directory: Directory;
}

/** The repository by its current or former name. Throws `not_found`. */
export async function managedRepository(
  { auth, directory }: AccessParts,
  request: Request,
  reply: Reply,
  action: HookAction,
): Promise<RepositoryDocument> {
  const principal = auth.principal(request);
  if (principal.kind === 'user' && principal.via === 'token')
    void reply.header('x-accepted-oauth-scopes', SCOPES[action].join(', '));
  const { owner = '', repo = '' } = request.params as { readonly owner?: string; readonly repo?: string };
  const repository =
    (await directory.repository(owner, repo)) ?? (await directory.repositoryOnceCalled(owner, repo));
  if (repository === null || !(await mayManage(directory, principal, repository, action)))
    throw errors.not_found();
  return repository;
}

/** A non-user has the scope of the guard. */
async function mayManage(
  directory: Directory,
  principal: Principal,
  repository: RepositoryDocument,
  action: HookAction,
): Promise<boolean> {
  if (principal.kind !== 'user') return true;
  const { user, via, scopes } = principal;
  const isScoped =
    via === 'basic' || scopes.includes('*') || SCOPES[action].some((one) => scopes.includes(one));
  return isScoped && directory.administers(user.id, repository);
}
