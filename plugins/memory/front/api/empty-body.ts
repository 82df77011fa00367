/** For routes whose body has nothing that is required: no body is an empty one. */
import type { Reply, Request } from 'plugboard/sdk';

export async function emptyIsDefault(request: Request, _reply: Reply): Promise<void> {
  request.body ??= {};
}
