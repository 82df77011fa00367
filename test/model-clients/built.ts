/** What is tested here and with the vendors' own clients alike, as the build of the server has it. */
import type * as Clients from '../../dist/test/conformance/router/clients.js';
import type * as EveryUpstream from '../../dist/test/conformance/router/every-upstream.js';

export type { Client, MakeClient, Result, Task } from '../../dist/test/conformance/router/clients.js';

const built = (path: string): Promise<unknown> =>
  import(new URL(`../../../dist/test/conformance/router/${path}`, import.meta.url).href);

export const { testEachUpstream } = (await built('every-upstream.js')) as typeof EveryUpstream;
export const { ASK, PICTURE, SCHEMA } = (await built('clients.js')) as typeof Clients;
