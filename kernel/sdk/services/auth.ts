/** The auth port: who is calling, and the guards that a route declares. */
import type { IncomingHttpHeaders } from 'node:http';
import type { onRequestHookHandler } from 'fastify';
import type { UserProfile } from './directory.js';
import { addressGroup } from '../http/address.js';
import type { Request } from '../http/routes.js';

/** A kind of credential that a guard accepts. */
export type Credential =
  /**
   * Any holder of the guard's scope: a management session, an API key in `Authorization: Bearer`, `X-API-Key` or
   * `apikey`, a person with a token of a configured issuer, a token that a registered verifier recognises, and callers
   * without a credential if the config grants them the scope.
   */
  | 'bearer'
  /** A token that a registered verifier recognises, in `Authorization: Bearer`, `token` or Basic. */
  | 'token'
  /** A management session (cookie), or an API key with the scope `manage`. Open when `requireLogin` is off. */
  | 'management'
  /** HTTP Basic with a user's login and password, and a one-time password if the user has set one up. */
  | 'basicUser'
  /** HTTP Basic with an application's client id and secret. */
  | 'basicApp';

export interface GuardOptions {
  /**
   * API keys and tokens must hold this scope, or one of these (`*` holds all), else 403. Only scopes that the plugin
   * declares. A guard that accepts API keys needs one; `management` requires `manage` by itself.
   */
  scope?: string | readonly string[];
  /** The scopes for tokens, if they differ from those for API keys: an empty list accepts every valid token. */
  tokenScope?: string | readonly string[];
  /** Also admit people who are members of the server: the route must serve them only their own data. */
  members?: boolean;
  /** Also admit callers without a credential, as `anonymous`. A credential that is sent must still be valid. */
  optional?: boolean;
}

/** A Fastify `onRequest` hook that also says, for the OpenAPI document, what the route accepts. */
export type Guard = onRequestHookHandler & {
  readonly credentials: readonly Credential[];
  readonly optional: boolean;
  /** Any one of these opens the route to an API key. */
  readonly scopes: readonly string[];
  /** OpenAPI security schemes by name. */
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
  /** OpenAPI security requirements: any one opens the route. A scheme's list holds the scope it needs. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
};

/** A security scheme object of OpenAPI 3.1. */
export type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: 'bearer' | 'basic'; readonly description: string }
  | {
      readonly type: 'apiKey';
      readonly in: 'header' | 'cookie';
      readonly name: string;
      readonly description: string;
    };

/** What a person may do on the server: everything, view everything, or use their own data. */
export type Access = 'admin' | 'viewer' | 'member';

export type Principal =
  | {
      readonly kind: 'key';
      readonly id: string;
      readonly name: string;
      readonly scopes: readonly string[];
      /** The tenant that the key belongs to; without one the key is a tenant of its own. */
      readonly owner?: string;
      /** Not a secret: it identifies the application, not the caller. */
      readonly publishable?: true;
    }
  | {
      readonly kind: 'person';
      /** `<issuer>|<subject>`, so that two issuers with one tenant do not share people. */
      readonly id: string;
      /** The issuer's name in the config. */
      readonly issuer: string;
      /** The claim `sub`. */
      readonly subject: string;
      /** The tenant whose data the person works on. */
      readonly owner: string;
      /** What the token says; scopes are what the config grants them. */
      readonly roles: readonly string[];
      /** All claims of the token, verified. */
      readonly claims: Readonly<Record<string, unknown>>;
      readonly scopes: readonly string[];
    }
  | {
      readonly kind: 'session';
      readonly id: string;
      readonly access: Access;
      /** Absent for the administrator of the first start, who is not in the directory. */
      readonly user?: UserProfile;
      /** For a viewer: all if the request changes nothing, else none. */
      readonly scopes: readonly string[];
    }
  | {
      readonly kind: 'user';
      readonly user: UserProfile;
      readonly scopes: readonly string[];
      readonly via: 'basic' | 'token';
    }
  | { readonly kind: 'app'; readonly app: Application; readonly scopes: readonly string[] }
  /** A plugin that acts for the server and for no caller. */
  | { readonly kind: 'plugin'; readonly id: string; readonly scopes: readonly string[] }
  | {
      readonly kind: 'anonymous';
      readonly scopes: readonly string[];
      /** The role of such callers in row policies. */
      readonly role?: string;
    };

/**
 * A principal as one string, for records and ownership: a key's id, `admin` for the administrator of the first start,
 * `kind:id` for all others.
 */
export function principalId(principal: Principal): string {
  switch (principal.kind) {
    case 'key':
      return principal.id;
    case 'person':
      return `person:${principal.id}`;
    case 'session':
      return principal.user === undefined ? 'admin' : `user:${principal.user.id}`;
    case 'user':
      return `user:${principal.user.id}`;
    case 'app':
      return `app:${principal.app.id}`;
    case 'plugin':
      return `plugin:${principal.id}`;
    case 'anonymous':
      return 'anonymous';
  }
}

/**
 * The tenant whose data a principal works on, shared by the keys and people of one application. `principalId` for
 * principals without a tenant.
 */
export function ownerOf(principal: Principal): string {
  if (principal.kind === 'person') return principal.owner;
  return (principal.kind === 'key' ? principal.owner : undefined) ?? principalId(principal);
}

/**
 * The unit for per-caller shares of a common resource: a person, the keys of a tenant, or the address of a caller
 * without a credential of their own.
 */
export function callerId(principal: Principal, address: string): string {
  const isAnybody = principal.kind === 'anonymous' || (principal.kind === 'key' && principal.publishable);
  if (isAnybody) return `address:${addressGroup(address)}`;
  return principal.kind === 'key' ? `key:${ownerOf(principal)}` : principalId(principal);
}

/** What a plugin may know of an API key by its id. */
export interface KnownKey {
  readonly id: string;
  readonly name: string;
}

export interface Application {
  readonly id: string;
  /** 20 characters. */
  readonly clientId: string;
  readonly name: string;
  readonly url: string;
}

/**
 * Recognises a credential that the local provider does not know, e.g. an access token issued by another plugin.
 * Undefined: not its kind of credential; null: its kind, but invalid. Return a promise only if it must read something.
 * With the scheme `basic` the token is the password, possibly a real one: answer at once unless it looks like a token.
 */
export type TokenVerifier = (
  credential: {
    readonly scheme: 'bearer' | 'token' | 'basic';
    readonly token: string;
    readonly login?: string;
  },
  request: Request,
) => Principal | null | undefined | Promise<Principal | null | undefined>;

export interface Auth {
  /** `onRequest: auth.guard('bearer')`; with several kinds the caller may use any of them. */
  guard(credentials: Credential | readonly Credential[], options?: GuardOptions): Guard;
  /** The caller. Throws on a route without a guard: a programming error. */
  principal(request: Request): Principal;
  /**
   * Applies a guard to the request again, or to `headers` in place of its own: for answers that stay open, and for
   * messages that carry a credential. Throws what the guard would answer.
   */
  identify(guard: Guard, request: Request, headers?: IncomingHttpHeaders): Promise<Principal>;
  /** Whether the principal holds `scope`. */
  allows(principal: Principal, scope: string): boolean;
  /**
   * Registers a verifier for bearer, token and basic credentials; returns its removal. Its principals may call the
   * routes of every plugin whose scopes they hold; `manage` and `*` are ignored.
   */
  registerVerifier(verifier: TokenVerifier): () => void;
  readonly keys: {
    /** Includes expired and revoked keys. */
    byId(id: string): Promise<KnownKey | null>;
  };
  readonly apps: {
    byClientId(clientId: string): Promise<Application | null>;
    /** The application if the secret is right, compared in constant time; else null. */
    verify(clientId: string, clientSecret: string): Promise<Application | null>;
  };
}
