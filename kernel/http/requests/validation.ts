/** Requests against the schemas of their routes, which are compiled when they are first asked for. */
import type { FastifySchemaCompiler } from 'fastify';
import type { InvalidRequest } from '../../sdk/http/errors.js';
import type { RequestSchemas, Verdict } from './request-schemas.js';

type Check = (value: unknown) => Verdict;

export class RouteValidators {
  readonly #large: (() => Promise<unknown>)[] = [];
  #schemas: Promise<RequestSchemas> | undefined;

  readonly compiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
    // Compiled at the first request: one large body schema adds 0.2 s to a start.
    let check: Check | undefined;
    const compile = async (): Promise<Check> => {
      const schemas = await this.#load();
      return (check ??= schemas.compile(httpPart as InvalidRequest['part'], schema));
    };
    if (JSON.stringify(schema).length > LARGE) this.#large.push(compile);
    return (value: unknown) =>
      check === undefined ? (compile().then((made) => passed(made(value))) as never) : check(value);
  };

  /**
   * Loads and compiles large schemas ahead, with pauses, so that no request waits for it. `failed` is called for a
   * schema that does not compile. Returns a function that stops it.
   */
  warm(failed: (error: unknown) => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    let ended = false;
    const later = (work: () => Promise<unknown>): void => {
      timer = setTimeout(() => void work().catch(failed).finally(next), WARM_EVERY).unref();
    };
    const next = (): void => {
      const large = this.#large.pop();
      if (!ended && large !== undefined) later(large);
    };
    later(() => this.#load());
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }

  #load(): Promise<RequestSchemas> {
    return (this.#schemas ??= import('./request-schemas.js').then((loaded) => new loaded.RequestSchemas()));
  }
}

/** Characters of a schema that takes tens of milliseconds to compile. */
const LARGE = 8_000;
/** Milliseconds. */
const WARM_EVERY = 500;

/** An asynchronous validator as Fastify takes it. */
function passed(verdict: Verdict): true {
  if (verdict !== true) throw verdict.error;
  return verdict;
}
