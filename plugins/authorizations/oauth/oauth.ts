/** Tokens without giving the application a password: the web flow (RFC 6749 4.1) and the device flow (RFC 8628). */
import { constantTimeEqual, type Application, type Auth } from 'plugboard/sdk';
import { createHash } from 'node:crypto';
import type { Authorizations } from '../authorizations.js';
import { judge, refusal, type Judged } from './authorization-request.js';
import { EXPIRES_IN, INTERVAL, type DeviceCodes, type DeviceGrant } from './device-codes.js';
import { problem, type Problem } from './problem.js';
import { redirectTo } from './redirect.js';
import type { AuthorizeQuery, TokenRequest } from './schema.js';
import { readScope } from './scope.js';
import type { WebCodes } from './web-codes.js';

export interface OAuthParts {
  readonly auth: Auth;
  readonly authorizations: Authorizations;
  readonly webCodes: WebCodes;
  readonly deviceCodes: DeviceCodes;
  /** Scopes that users may grant. */
  readonly scopes: ReadonlySet<string>;
}

export interface IssuedToken {
  readonly access_token: string;
  readonly token_type: 'bearer';
  /** Joined by spaces, at which every client splits. */
  readonly scope: string;
}

/** `expires_in` and `interval` are in seconds. */
export interface DeviceLogin {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly expires_in: number;
  readonly interval: number;
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

export class OAuth {
  readonly #parts: OAuthParts;

  constructor(parts: OAuthParts) {
    this.#parts = parts;
  }

  async judge(query: AuthorizeQuery): Promise<Judged> {
    const { auth, scopes } = this.#parts;
    return judge(query, await auth.apps.byClientId(query.client_id), scopes);
  }

  /** Where the browser goes after the user has decided; undefined for an invalid request. */
  async decide(query: AuthorizeQuery, userId: number, allowed: boolean): Promise<string | undefined> {
    const judged = await this.judge(query);
    if (judged.kind === 'stays') return undefined;
    if (judged.kind === 'refused') return judged.location;
    const { request } = judged;
    if (!allowed) return refusal(request, 'access_denied');
    const { app, scopes, redirectUri, challenge, state } = request;
    const code = await this.#parts.webCodes.issue({
      clientId: app.clientId,
      userId,
      scopes,
      redirectUri,
      challenge,
    });
    return redirectTo(redirectUri, { code, state });
  }

  async startDevice(
    clientId: string,
    scope: string,
    verificationUri: string,
  ): Promise<DeviceLogin | Problem> {
    const { auth, deviceCodes, scopes: allowed } = this.#parts;
    const app = await auth.apps.byClientId(clientId);
    if (app === null) return problem('incorrect_client_credentials');
    const scopes = readScope(scope, allowed);
    if (scopes === undefined) return problem('invalid_scope');
    const issued = await deviceCodes.issue(clientId, scopes);
    if (issued === undefined) return problem('temporarily_unavailable');
    return {
      device_code: issued.deviceCode,
      user_code: issued.userCode,
      verification_uri: verificationUri,
      expires_in: EXPIRES_IN,
      interval: INTERVAL,
    };
  }

  async exchange(request: TokenRequest): Promise<IssuedToken | Problem> {
    const { grant_type: grantType, device_code: deviceCode } = request;
    if (grantType === DEVICE_GRANT || deviceCode !== undefined) return this.#exchangeDevice(request);
    if (grantType !== undefined && grantType !== 'authorization_code')
      return problem('unsupported_grant_type');
    return this.#exchangeWeb(request);
  }

  async #exchangeWeb(request: TokenRequest): Promise<IssuedToken | Problem> {
    const { client_id: clientId = '', client_secret: secret = '', code = '' } = request;
    const { auth, webCodes } = this.#parts;
    const app = await auth.apps.verify(clientId, secret);
    // The code still works: the sender does not know the secret.
    if (app === null) return problem('incorrect_client_credentials');
    const grant = await webCodes.take(code);
    if (grant === null || grant.clientId !== app.clientId) return problem('bad_verification_code');
    const { redirect_uri: redirectUri = grant.redirectUri, code_verifier: verifier } = request;
    if (redirectUri !== grant.redirectUri) return problem('redirect_uri_mismatch');
    if (!answersChallenge(verifier, grant.challenge)) return problem('bad_verification_code');
    return this.#issue(grant.userId, app, grant.scopes);
  }

  async #exchangeDevice({
    client_id: clientId = '',
    device_code: code = '',
    grant_type: grantType,
  }: TokenRequest): Promise<IssuedToken | Problem> {
    const { auth, deviceCodes } = this.#parts;
    if (grantType !== DEVICE_GRANT) return problem('unsupported_grant_type');
    const app = await auth.apps.byClientId(clientId);
    if (app === null) return problem('incorrect_client_credentials');
    const grant = await deviceCodes.find(code);
    if (grant === null || grant.clientId !== clientId) return problem('incorrect_device_code');
    if (deviceCodes.isOver(grant)) return problem('expired_token');
    if (grant.state === 'denied') return problem('access_denied');
    if (grant.state === 'waiting' || grant.userId === null) return this.#wait(grant);
    if (!(await deviceCodes.take(grant))) return problem('incorrect_device_code');
    return this.#issue(grant.userId, app, grant.scopes);
  }

  async #wait(grant: DeviceGrant): Promise<Problem> {
    const { tooSoon, interval } = await this.#parts.deviceCodes.poll(grant);
    return tooSoon ? problem('slow_down', { interval }) : problem('authorization_pending');
  }

  async #issue(userId: number, app: Application, scopes: readonly string[]): Promise<IssuedToken> {
    const token = await this.#parts.authorizations.grant(userId, app, scopes);
    return { access_token: token, token_type: 'bearer', scope: scopes.join(' ') };
  }
}

function answersChallenge(verifier: string | undefined, challenge: string | null): boolean {
  if (challenge === null) return true;
  const hash = createHash('sha256')
    .update(verifier ?? '')
    .digest('base64url');
  return constantTimeEqual(hash, challenge);
}
