/** The auth port: who is asking, and the guards that a route declares. */
import type { IncomingHttpHeaders } from 'node:http';
import type { onRequestHookHandler } from 'fastify';
import type { UserProfile } from './directory.js';
import { addressGroup } from '../http/address.js';
import type { Request } from '../http/routes.js';

/** A kind of credential that a guard accepts. */
export type Credential =
  /**
   * Whoever holds the guard's scope: a management session, an API key in `Authorization: Bearer`, `X-API-Key` or `apikey`, a person with a
   * token of a configured issuer, a token that a registered verifier recognises, and callers without a credential
   * where the config grants them the scope.
   */
  | 'bearer'
  /** A token that a registered verifier recognises, in `Authorization: Bearer`, `token` or Basic. */
  | 'token'
  /** A management session (cookie), or an API key with the scope `manage`. Open when `requireLogin` is off. */
  | 'management'
  /** HTTP Basic with a user's login and password, and a one-time password where the user has one. */
  | 'basicUser'
  /** HTTP Basic with an application's client id and secret. */
  | 'basicApp';

export interface GuardOptions {
  /**
   * API keys and tokens must hold this scope, or one of these (`*` holds all); otherwise 403. Only scopes that the
   * plugin declares. A guard that takes API keys needs one; `management` asks for `manage` by itself.
   */
  scope?: string | readonly string[];
  /** What tokens must hold, where it is not what API keys must: an empty list takes every token that is valid. */
  tokenScope?: string | readonly string[];
  /** Also let people in who have access to the server as members: the route serves them what is their own. */
  members?: boolean;
  /** Also let callers without any credential in, as `anonymous`. A credential that is sent must be valid all the same. */
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
  /** OpenAPI security requirements: any one of them opens the route. The list of a scheme holds the scope that it needs. */
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

/** What a person may do with the server itself: everything, look at everything, or what is their own. */
export type Access = 'admin' | 'viewer' | 'member';

export type Principal =
  | {
      readonly kind: 'key';
      readonly id: string;
      readonly name: string;
      readonly scopes: readonly string[];
      /** The tenant that the key belongs to; without one the key is a tenant of its own. */
      readonly owner?: string;
      /** Everybody may know it: it says which application asks, and not who. */
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
      /** Absent for the administrator of the first start, who is nobody of the directory. */
      readonly user?: UserProfile;
      /** In a request of a viewer all of them if it changes nothing, else none. */
      readonly scopes: readonly string[];
    }
  | {
      readonly kind: 'user';
      readonly user: UserProfile;
      readonly scopes: readonly string[];
      readonly via: 'basic' | 'token';
    }
  | { readonly kind: 'app'; readonly app: Application; readonly scopes: readonly string[] }
  /** A plugin that acts for the server: what it asks of others is nobody's. */
  | { readonly kind: 'plugin'; readonly id: string; readonly scopes: readonly string[] }
  | {
      readonly kind: 'anonymous';
      readonly scopes: readonly string[];
      /** What row policies know such callers by. */
      readonly role?: string;
    };

/**
 * One text for each principal, for records and for what is owned: a key's id, `admin` for the administrator of the first
 * start, and `kind:id` for all others.
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
 * The tenant whose data a principal works on: what several keys and people of one application share. For whoever has
 * no tenant it is `principalId`.
 */
export function ownerOf(principal: Principal): string {
  if (principal.kind === 'person') return principal.owner;
  return (principal.kind === 'key' ? principal.owner : undefined) ?? principalId(principal);
}

/**
 * Who is counted where each caller has a share of what all use: a person, the keys of a tenant, and of whoever shows no
 * credential of their own the address.
 */
export function callerId(principal: Principal, address: string): string {
  const isAnybody = principal.kind === 'anonymous' || (principal.kind === 'key' && principal.publishable);
  if (isAnybody) return `address:${addressGroup(address)}`;
  return principal.kind === 'key' ? `key:${ownerOf(principal)}` : principalId(principal);
}

/** What a plugin may know of an API key beside its principal. */
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
 * Recognises a credential that the local provider does not know, e.g. access tokens issued by another plugin, with a
 * promise where it has to read something. Answers undefined for a credential that is not its own, null for one of its own that is not valid. With the
 * scheme `basic` the token is the password, which may be a password after all: answer at once when its form is
 * not a token's.
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
  /** Who asks. Throws on a route without a guard: a programming error. */
  principal(request: Request): Principal;
  /**
   * Judges the request once more by the rule of a guard, or `headers` in the place of its own: for answers that stay open,
   * and for messages that bring a credential. Throws what the guard would answer.
   */
  identify(guard: Guard, request: Request, headers?: IncomingHttpHeaders): Promise<Principal>;
  /** Whether the principal may do what needs `scope`. */
  allows(principal: Principal, scope: string): boolean;
  /**
   * Registers a verifier for bearer, token and basic credentials; returns its removal. What it answers opens the routes
   * of every plugin whose scopes it holds; `manage` and `*` are not taken from it.
   */
  registerVerifier(verifier: TokenVerifier): () => void;
  readonly keys: {
    /** Also a key that has expired or was revoked. */
    byId(id: string): Promise<KnownKey | null>;
  };
  readonly apps: {
    byClientId(clientId: string): Promise<Application | null>;
    /** The application when the secret is right, in constant time; null otherwise. */
    verify(clientId: string, clientSecret: string): Promise<Application | null>;
  };
}
