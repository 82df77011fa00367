/** An identity provider of a test: it signs tokens and serves its keys over a real socket. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
}

export async function signingKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, publicKey, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

export const ISSUER = 'https://login.example.com';
export const AUDIENCE = 'plugboard';

/** Seconds since the epoch. */
export const seconds = (milliseconds = Date.now()): number => Math.floor(milliseconds / 1000);

/** A token of `ISSUER` that is valid for an hour, with these claims on top. */
export function signed(
  key: SigningKey,
  claims: Readonly<Record<string, unknown>> = {},
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const now = seconds();
  return new SignJWT({ iss: ISSUER, aud: AUDIENCE, sub: 'ann', iat: now, exp: now + 3600, ...claims })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
    .sign(key.privateKey);
}

export class KeyHost {
  readonly url: string;
  keys: readonly SigningKey[];
  /** How it answers. */
  state: 'well' | 'failing' | 'hanging' = 'well';
  requests = 0;
  readonly #server: Server;

  private constructor(server: Server, keys: readonly SigningKey[]) {
    this.#server = server;
    this.keys = keys;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
    server.on('request', (_request, response) => {
      this.requests += 1;
      if (this.state === 'hanging') return;
      if (this.state === 'failing') return response.writeHead(500).end();
      response.setHeader('content-type', 'application/json');
      return response.end(JSON.stringify({ keys: this.keys.map(({ jwk }) => jwk) }));
    });
  }

  /** Stopped when the test ends. */
  static async start(t: TestContext, keys: readonly SigningKey[]): Promise<KeyHost> {
    const host = await KeyHost.listen(keys);
    t.after(() => host.stop());
    return host;
  }

  /** Stopped by the caller. */
  static async listen(keys: readonly SigningKey[]): Promise<KeyHost> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new KeyHost(server, keys);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
