/** The Fastify instance on which a plugin mounts its routes, with bodies typed by their TypeBox schemas. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { TSchema } from '../typebox.js';

export type Routes = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

export type Request = FastifyRequest;
export type Reply = FastifyReply;

/** An operation of a wildcard route, as the OpenAPI document shows it. */
export interface RouteOperation {
  readonly method: string;
  /** Relative to the prefix, with parameters in braces: `/films`, `/films/{id}`. */
  readonly path: string;
  readonly schema: FastifySchema;
}

declare module 'fastify' {
  /** What a route says of itself in the OpenAPI document. */
  interface FastifySchema {
    summary?: string;
    description?: string;
    /** The method's name, for client generators. */
    operationId?: string;
    deprecated?: boolean;
    /** The OpenAPI schema of a form with a file, which the plugin parses itself. */
    form?: TSchema;
  }
  interface FastifyContextConfig {
    /** Parse a form-encoded body that holds JSON as JSON (some old clients send it so). */
    jsonForms?: boolean;
    /** Keep a JSON body's text as `request.bodyText`: parsing a number beyond 2^53 loses digits. */
    keepBodyText?: boolean;
    /** Accept lone surrogates in JSON strings, which are otherwise malformed JSON. */
    anyText?: boolean;
    /** Read the body on a route that has neither `schema.body` nor its own `bodyLimit`; others get none. */
    takesBody?: boolean;
    /**
     * The route, or this request of it, changes nothing, whatever its method: viewers may call it. Evaluated before the
     * guard.
     */
    readOnly?: boolean | ((request: Request) => boolean);
    /** Leave the route out of the OpenAPI document. */
    hidden?: boolean;
    /**
     * What the OpenAPI document shows in place of a wildcard route, e.g. a path for each table of a catalog. Called for
     * each request of the document; returning the same array says that nothing has changed.
     */
    operations?: () => readonly RouteOperation[];
    /** A page for people: browsers are redirected here from `/` if that has no route. */
    home?: boolean;
    /** A page for people: browsers get it with 404 for an address without a route. */
    unknown?: boolean;
  }
  interface FastifyRequest {
    /** The URL's path after the instance's prefix, as the client encoded it, without the query: `/films`. */
    readonly path: string;
    /** The path under which a trusted proxy serves the whole server: `/plugboard`, else empty. */
    readonly forwardedPrefix: string;
    /** The body as sent, on a route with `config: { keepBodyText: true }`; undefined without a JSON body. */
    bodyText: string | undefined;
  }
}
