/**
 * Keeps metrics, API documentation and readiness details from strangers. They are open if only this machine reaches the
 * server or the config opens them; else they need a management credential.
 */
import type { ServerConfig } from '../../config/shape.js';
import type { Auth, Guard } from '../../sdk/services/auth.js';
import type { Reply, Request, Routes } from '../../sdk/http/routes.js';
import { isLoopback } from '../requests/allowed-hosts.js';
import { kernelErrors } from '../errors.js';

/** Load balancers send no credential. */
const PROBES: readonly string[] = ['/-/live', '/-/ready'];

export type MayOperate = (request: Request, reply: Reply) => Promise<boolean>;

/** Whether it is open to everybody. Behind a proxy on this machine every request comes from the loopback address. */
export function isOpen({ host, trustProxy, operations }: ServerConfig): boolean {
  return operations.open || (isLoopback(host) && trustProxy === false);
}

/** Adds the guard and returns a function that checks a caller. `auth` is called at the first request. */
export function restrictOperations(
  app: Routes,
  config: ServerConfig,
  auth: () => Auth | undefined,
): MayOperate {
  if (isOpen(config)) return () => Promise.resolve(true);
  let guard: Guard | undefined;
  const check = (request: Request, reply: Reply): Promise<void> =>
    new Promise((resolve, reject) => {
      guard ??= auth()?.guard('management');
      if (guard === undefined) return reject(kernelErrors.operations_closed());
      guard.call(app, request, reply, (error?: Error) => (error === undefined ? resolve() : reject(error)));
    });
  app.addHook('onRequest', async (request, reply) => {
    const [path = ''] = request.url.split('?');
    if (path.startsWith('/-/') && !PROBES.includes(path)) await check(request, reply);
  });
  return (request, reply) =>
    check(request, reply).then(
      () => true,
      () => false,
    );
}
