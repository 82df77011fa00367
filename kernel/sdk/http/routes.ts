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

/** An operation that a wildcard route answers, as the OpenAPI document shows it. */
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
    /** For generators of clients: the name of the method. */
    operationId?: string;
    deprecated?: boolean;
    /** A form with a file, which the plugin parses itself, as the OpenAPI document shows it. */
    form?: TSchema;
  }
  interface FastifyContextConfig {
    /** Parse a form-encoded body that holds JSON as JSON (old clients of some APIs send it so). */
    jsonForms?: boolean;
    /** Keep a JSON body's text as `request.bodyText`: a number beyond 2^53 loses digits where it is parsed. */
    keepBodyText?: boolean;
    /** Take strings of JSON with half of a surrogate pair, which is otherwise malformed JSON. */
    anyText?: boolean;
    /** Read the body though the route has neither a `schema.body` nor a `bodyLimit` of its own: others get none. */
    takesBody?: boolean;
    /**
     * The route changes nothing, whatever its method, or these requests of it do not: people who may only look may call
     * it. Asked in front of the guard.
     */
    readOnly?: boolean | ((request: Request) => boolean);
    /** Leave the route out of the OpenAPI document. */
    hidden?: boolean;
    /**
     * What the OpenAPI document shows in place of a wildcard route: a path for each table of a catalog. Asked whenever
     * somebody asks for the document; the very array of the last time says that nothing has changed.
     */
    operations?: () => readonly RouteOperation[];
    /** A page for people: browsers that ask for `/`, where no route is, are sent to it. */
    home?: boolean;
    /** A page for people: browsers that ask for an address that no route has get it, with 404. */
    unknown?: boolean;
  }
  interface FastifyRequest {
    /** The path of the URL behind the instance's prefix, as the client encoded it, without the query: `/films`. */
    readonly path: string;
    /** The path below which a proxy that is believed serves the whole server: `/plugboard`, else empty. */
    readonly forwardedPrefix: string;
    /** What the client wrote, on a route with `config: { keepBodyText: true }`; undefined without a body of JSON. */
    bodyText: string | undefined;
  }
}
