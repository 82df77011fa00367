/** The errors of the auth provider and their texts. Guards throw these in other plugins' routes too. */
import { defineErrors } from 'plugboard/sdk';

/** Codes are stable: a dialect may give them other texts or another status. */
export const errors = defineErrors({
  missing_credentials: {
    status: 401,
    message: 'authentication is required: send {accepted}',
    when: 'The request carries no credential that the route reads.',
  },
  malformed_credentials: {
    status: 401,
    message: 'the Authorization header cannot be read: send {accepted}',
    when: 'The scheme is unknown, or the text after it is empty or not base64 of `name:password`.',
  },
  credential_not_accepted: {
    status: 401,
    message: 'this route does not take {sent}: send {accepted}',
    when: 'A credential of another kind was sent, e.g. a token where a login and password are asked for.',
  },
  invalid_api_key: {
    status: 401,
    message: 'the API key is not known: check it, or create one with "plugboard keys create"',
    when: 'No API key with this text exists.',
  },
  api_key_expired: {
    status: 401,
    message: 'the API key expired at {at}: create another one',
    when: 'The key is right, but its expiry has passed.',
  },
  api_key_revoked: {
    status: 401,
    message: 'the API key was revoked: create another one',
    when: 'The key is right, but it was revoked.',
  },
  invalid_token: {
    status: 401,
    message: 'the token is not valid',
    when: 'No verifier accepts the token, or the one that issued it says that it is no longer valid.',
  },
  token_refused: {
    status: 401,
    message: 'the token is not accepted: {reason}',
    when: 'A token of a configured issuer has expired, is for another audience, is signed by another key, or is malformed.',
  },
  issuer_unavailable: {
    status: 503,
    message:
      'the keys of the token issuer "{issuer}" cannot be read at this moment: try again in a few seconds',
    when: "The key of a token is not known, and the issuer's key set cannot be read. Tokens signed by known keys go on.",
  },
  revocations_unknown: {
    status: 503,
    message:
      'the server cannot reach its store to see whether the credential was revoked: try again in a second',
    when: 'The store has acknowledged nothing for `revocationLag` seconds: the instance is cut off from it.',
  },
  bad_credentials: {
    status: 401,
    message: 'the login or the password is wrong',
    when: 'Basic with an unknown login, a wrong password, an unknown client id or a wrong client secret.',
  },
  otp_required: {
    status: 401,
    message: 'this user needs a one-time password: send it in the header X-GitHub-OTP',
    when: 'Login and password are right, the user has two-factor authentication, and no code was sent.',
  },
  invalid_otp: {
    status: 401,
    message: 'the one-time password is wrong or was used before: wait for the next one',
    when: 'Login and password are right; the code is not, or it was accepted once already.',
  },
  otp_unreadable: {
    status: 503,
    message:
      'this user cannot log in with two factors for now: the administrator finds the reason in the log',
    when: 'No listed sealing key opens the secret of the user: the key it was sealed with was taken from `providers.secrets.keys`. Put the key back, or turn two-factor authentication off and on again.',
  },
  invalid_session: {
    status: 401,
    message: 'the session has ended: log in again',
    when: 'The session cookie names no living session.',
  },
  wrong_password: {
    status: 401,
    message: 'the password is wrong',
    when: 'Logging in, or changing the password, with a wrong current password.',
  },
  common_password: {
    status: 400,
    message: 'the password is too easy to guess: take several words, or a random one',
    when: 'Setting a password that is common, repeats itself, or follows the keyboard.',
  },
  oidc_unknown: {
    status: 404,
    message: 'there is no identity provider "{name}" in the config',
    when: 'A login by a provider that `providers.auth.oidc` does not list.',
  },
  oidc_unavailable: {
    status: 503,
    message: 'the identity provider "{name}" cannot be reached at this moment: try again',
    when: "The provider's metadata cannot be read.",
  },
  oidc_refused: {
    status: 401,
    message: 'the login by "{name}" failed: {reason}',
    when: 'The provider refused the login, or its answer fails the checks.',
  },
  oidc_expired: {
    status: 400,
    message: 'this login has expired, was used, or was begun in another browser: log in again',
    when: 'A browser comes back from an identity provider with a state that it was not given.',
  },
  no_access: {
    status: 403,
    message: 'the user "{login}" has no access to the management of this server: ask an administrator',
    when: 'Login and password are right, and the user is neither administrator, viewer nor member.',
  },
  viewers_look: {
    status: 403,
    message: 'your access lets you look and not change: ask an administrator',
    when: 'A person with the access `viewer` calls a route that changes something.',
  },
  session_not_found: {
    status: 404,
    message: 'there is no session with this id',
    when: 'Ending a session that has ended, or one of somebody else.',
  },
  insufficient_scope: {
    status: 403,
    message: 'the {kind} "{name}" lacks the scope "{scope}"',
    when: 'The credential is valid and holds none of the scopes that open the route.',
  },
  address_not_allowed: {
    status: 403,
    message: 'the API key may not be used from the address {address}',
    when: 'The key is right and lists addresses, and the client has none of them.',
  },
  address_unreadable: {
    status: 400,
    message: '"{address}" is neither an IP address nor a network such as "10.0.0.0/8"',
    when: 'Creating a key with an address that cannot be read.',
  },
  owner_unreadable: {
    status: 400,
    message: '"{owner}" is no name of a tenant: letters, digits, ".", "_" and "-", at most 100',
    when: 'Creating a key with such an `owner`.',
  },
  not_publishable: {
    status: 400,
    message: 'a publishable key may be seen by everybody: it cannot hold "{scope}"',
    when: 'Creating a publishable key with `manage` or `*`.',
  },
  administrator_only: {
    status: 403,
    message: 'only the administrator may do this: log in, or send an API key with the scope "*"',
    when: 'An API key that holds `manage` and not `*` would change who may manage the server.',
  },
  unknown_scope: {
    status: 400,
    message: 'unknown scope "{scope}"{hint} (known: {known})',
    when: 'Creating a key with a scope that no enabled plugin declares. `plugboard scopes` lists them.',
  },
  scope_not_held: {
    status: 403,
    message: 'you cannot give a key the scope "{scope}", which you do not hold',
    when: 'An API key with the scope `manage` creates a key with a scope that it does not hold itself.',
  },
  cross_origin: {
    status: 403,
    message:
      "refused because it may come from another site: send the Origin of this server, or the session's CSRF token in X-CSRF-Token",
    when: 'A state-changing call with a session cookie has neither a same-origin Origin nor the CSRF token.',
  },
  too_many_attempts: {
    status: 429,
    message: 'too many failed attempts: try again in {minutes} min',
    when: 'This login has failed too often from this address; a right password must wait too. See Retry-After.',
  },
  auth_busy: {
    status: 503,
    message: 'too many passwords are being checked at this moment: try again in a second',
    when: 'The queue of password checks is full.',
  },
  key_not_found: {
    status: 404,
    message: 'there is no API key with the id "{id}"',
    when: 'Reading or revoking a key that does not exist.',
  },
  key_configured: {
    status: 409,
    message: 'the text of this key is set in the config: change "firstKey" there',
    when: 'Rotating the key of `providers.auth.firstKey`.',
  },
  key_ended: {
    status: 409,
    message: 'the API key is revoked or has expired: create another one',
    when: 'Rotating a key that no longer works.',
  },
  key_changed: {
    status: 409,
    message: 'the API key was changed at the same time: look at it, and try again',
    when: 'Of two rotations of a key at once, the one that came second.',
  },
  person_unknown: {
    status: 404,
    message:
      'nobody is called "{name}": give a login, or ISSUER|SUBJECT with the name of a configured issuer',
    when: 'Exporting or erasing the data of a person whom neither the directory nor an issuer may know.',
  },
  user_not_found: {
    status: 404,
    message: 'there is no user with the id "{id}"',
    when: 'Reading, changing or deleting a user that does not exist.',
  },
  organization_login: {
    status: 400,
    message: 'an organization cannot log in: leave the password and the one-time password out',
    when: 'A password or a one-time password is set for a user of the type Organization.',
  },
  app_not_found: {
    status: 404,
    message: 'there is no application with the id "{id}"',
    when: 'Reading, changing or deleting an application that does not exist.',
  },
  invalid_cursor: {
    status: 400,
    message: '"after" must be the "next" of a page',
    when: 'The place in a list is not one that the list named.',
  },
  expiry_passed: {
    status: 400,
    message: '"expiresAt" must be in the future',
    when: 'Creating a key that would be expired at once.',
  },
});
