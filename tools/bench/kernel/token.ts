/** A person's token (HS256) of an issuer in the config, with the claims that a hosted identity provider writes. */
import { createHmac } from 'node:crypto';

const secret = 'a secret of the bench, with more than 32 bytes';

export const issuer = {
  name: 'app',
  issuer: 'https://login.example.com',
  audience: 'plugboard',
  secret,
  algorithms: ['HS256'],
  roles: { authenticated: ['bench'] },
};

export function token(): string {
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: issuer.issuer,
    aud: issuer.audience,
    sub: '3f8f5a54-9f0a-4f5a-9d0b-0f4f0b0b7c1d',
    exp: now + 86_400,
    iat: now,
    role: 'authenticated',
    email: 'ann@example.com',
    session_id: '9a1b1a2e-7d55-4b9b-8a55-7d0d9a1b1a2e',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { name: 'Ann Example', picture: 'https://example.com/ann.png' },
  };
  const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
