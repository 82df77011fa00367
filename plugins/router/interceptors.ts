/** What other plugins make of a chat before it is sent, one after another and within one time limit. */
import type { ChatInterceptor, ChatRequest, Principal } from 'plugboard/sdk';
import type { RequestBody } from './call/request-body.js';
import { errors } from './errors.js';

/** The caller's HTTP headers. */
export type Headers = Parameters<ChatInterceptor>[1]['headers'];

/** What interceptors are shown of a call. */
export interface ShownCall {
  readonly caller: Principal;
  /** Aborted when the caller leaves. */
  readonly gone: AbortSignal | undefined;
  readonly headers: Headers;
}

/** Milliseconds to answer in after the signal: who heeds it needs some turns of the event loop. */
const GRACE = 500;

export class Interceptors {
  readonly #limit: number;
  readonly #interceptors = new Set<ChatInterceptor>();
  /** See what interceptors made of a call, and calls that no interceptor sees. */
  readonly #guards = new Set<ChatInterceptor>();

  /** `limit`: milliseconds for all of them, until their signal. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns the removal. */
  add(interceptor: ChatInterceptor): () => void {
    this.#interceptors.add(interceptor);
    return () => void this.#interceptors.delete(interceptor);
  }

  /** Returns the removal. */
  addGuard(before: ChatInterceptor): () => void {
    // A guard of two plugins is two.
    const own: ChatInterceptor = (request, call) => before(request, call);
    this.#guards.add(own);
    return () => void this.#guards.delete(own);
  }

  /** Whether nobody sees a call; `all`: interceptors do. */
  areNoneOf(all: boolean): boolean {
    return this.#guards.size === 0 && !(all && this.#interceptors.size > 0);
  }

  get hasGuards(): boolean {
    return this.#guards.size > 0;
  }

  /** Throws `interceptor_timeout` when one answers neither in time nor to the signal. */
  async see(
    body: RequestBody<ChatRequest>,
    { caller, gone, headers }: ShownCall,
    all: boolean,
  ): Promise<ChatRequest> {
    const enough = new AbortController();
    const leave = (): void => enough.abort();
    if (gone?.aborted === true) leave();
    gone?.addEventListener('abort', leave, { once: true });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const refuse = (): void => reject(errors.interceptor_timeout({ values: { limit: this.#limit } }));
      timer = setTimeout(() => {
        enough.abort();
        timer = setTimeout(refuse, GRACE);
      }, this.#limit);
    });
    try {
      const applied = this.#apply(body.shown, { caller, headers, signal: enough.signal }, all);
      return await Promise.race([applied, late]);
    } finally {
      clearTimeout(timer);
      gone?.removeEventListener('abort', leave);
    }
  }

  async #apply(
    request: ChatRequest,
    call: Parameters<ChatInterceptor>[1],
    all: boolean,
  ): Promise<ChatRequest> {
    let seen = request;
    if (all) for (const interceptor of this.#interceptors) seen = await interceptor(seen, call);
    for (const guard of this.#guards) seen = await guard(seen, call);
    return seen;
  }
}
