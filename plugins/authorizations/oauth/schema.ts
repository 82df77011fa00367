/** Requests and responses of the OAuth routes. */
import { Type, type Static } from 'plugboard/sdk';

const Text = (description: string, maxLength = 2_000) =>
  Type.Optional(Type.String({ maxLength, description }));

const ClientId = Type.String({ maxLength: 100, description: 'the client id of the application' });

/** Unknown parameters are ignored (RFC 6749 3.1). */
export const AuthorizeQuery = Type.Object({
  client_id: ClientId,
  redirect_uri: Text(
    'where the browser goes back to, below the URL of the application; that URL if left out',
  ),
  scope: Text('what the application asks for, with spaces or commas'),
  state: Text('handed back as it is'),
  code_challenge: Text('SHA-256 of the code verifier, in base64url (RFC 7636)', 200),
  code_challenge_method: Text('S256', 20),
});
export type AuthorizeQuery = Static<typeof AuthorizeQuery>;

const Decision = Type.Union([Type.Literal('allow'), Type.Literal('deny')], {
  description: 'what the user decided',
});
export const AuthorizeBody = Type.Object(
  { ...AuthorizeQuery.properties, decision: Decision },
  {
    title: 'OAuthDecision',
    examples: [{ client_id: 'Iv1.0123456789abcdef', scope: 'gist', state: 'q1w2e3', decision: 'allow' }],
  },
);
export const Location = Type.Object({ location: Type.String({ description: 'where the browser goes' }) });

export const DeviceQuery = Type.Object({ user_code: Text('filled in already', 50) });
export const DeviceBody = Type.Object(
  {
    user_code: Type.String({ maxLength: 50, description: 'what the device shows' }),
    /** Missing to only look the code up. */
    decision: Type.Optional(Decision),
  },
  { title: 'DeviceDecision', examples: [{ user_code: 'WDJB-MJHT', decision: 'allow' }] },
);
export const DeviceDecision = Type.Object({
  application: Type.String(),
  scopes: Type.Array(Type.String()),
  state: Type.Union([Type.Literal('waiting'), Type.Literal('allowed'), Type.Literal('denied')]),
});

export const DeviceCodeBody = Type.Object(
  {
    client_id: ClientId,
    scope: Text('what the application asks for, with spaces or commas'),
  },
  { title: 'DeviceLogin', examples: [{ client_id: 'Iv1.0123456789abcdef', scope: 'gist' }] },
);
export const TokenRequest = Type.Object(
  {
    client_id: Text('the client id of the application', 100),
    client_secret: Text('its secret; a device has none', 200),
    code: Text('of the web flow', 100),
    redirect_uri: Text('as it was when the code was asked for'),
    code_verifier: Text('whose SHA-256 was the code challenge', 200),
    device_code: Text('of the device flow', 100),
    grant_type: Text('of a device urn:ietf:params:oauth:grant-type:device_code', 100),
  },
  {
    title: 'OAuthTokenRequest',
    examples: [
      {
        client_id: 'Iv1.0123456789abcdef',
        client_secret: 'abcdef0123456789abcdef0123456789abcdef01',
        code: 'a1b2c3d4e5f6',
      },
    ],
  },
);
export type TokenRequest = Static<typeof TokenRequest>;
