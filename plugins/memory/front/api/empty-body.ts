/** For routes whose body has no required members: a missing body is an empty one. */
import type { Reply, Request } from 'plugboard/sdk';

export async function emptyIsDefault(request: Request, _reply: Reply): Promise<void> {
  request.body ??= {};
}
