/** An OpenID provider of a test, over a real socket: whoever comes is logged in at once, as `claims` say. */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { SignJWT } from 'jose';
import { seconds, signingKey, type SigningKey } from './token-issuer.js';

export class TestOidcProvider {
  readonly url: string;
  readonly #server: Server;
  readonly #key: SigningKey;
  /** The authorization requests under way, by code. */
  readonly #codes = new Map<string, URLSearchParams>();
  claims: Record<string, unknown> = { sub: 'u1', preferred_username: 'ann', groups: ['ops'] };
  /** Signs the ID tokens; another one than the published key forges them. */
  signer: SigningKey;

  private constructor(server: Server, key: SigningKey) {
    this.#server = server;
    this.#key = key;
    this.signer = key;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  static async start(t: TestContext): Promise<TestOidcProvider> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const provider = new TestOidcProvider(server, await signingKey('oidc', 'RS256'));
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    return provider;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** What a browser does at the provider: the address that it is sent back to. */
  visit(authorize: string): URL {
    const asked = new URL(authorize).searchParams;
    const code = randomUUID();
    this.#codes.set(code, asked);
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('code', code);
    back.searchParams.set('state', asked.get('state') ?? '');
    back.searchParams.set('iss', this.url);
    return back;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    switch (new URL(request.url ?? '', this.url).pathname) {
      case '/.well-known/openid-configuration':
        return send(200, {
          issuer: this.url,
          authorization_endpoint: `${this.url}/authorize`,
          token_endpoint: `${this.url}/token`,
          jwks_uri: `${this.url}/jwks`,
          response_types_supported: ['code'],
          id_token_signing_alg_values_supported: ['RS256'],
          authorization_response_iss_parameter_supported: true,
        });
      case '/jwks':
        return send(200, { keys: [this.#key.jwk] });
      case '/token': {
        const body = new URLSearchParams(await text(request));
        const code = body.get('code') ?? '';
        const asked = this.#codes.get(code);
        this.#codes.delete(code);
        const challenge = createHash('sha256')
          .update(body.get('code_verifier') ?? '')
          .digest('base64url');
        if (asked === undefined || asked.get('code_challenge') !== challenge)
          return send(400, { error: 'invalid_grant' });
        return send(200, {
          access_token: 'unused',
          token_type: 'bearer',
          id_token: await this.#idToken(asked),
        });
      }
      default:
        return send(404, {});
    }
  }

  #idToken(asked: URLSearchParams): Promise<string> {
    const now = seconds();
    const aud = asked.get('client_id') ?? '';
    const nonce = asked.get('nonce');
    return new SignJWT({ iss: this.url, aud, nonce, iat: now, exp: now + 300, ...this.claims })
      .setProtectedHeader({ alg: this.signer.alg, kid: 'oidc' })
      .sign(this.signer.privateKey);
  }
}
