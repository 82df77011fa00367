/** Verifies one token for one issuer: signature, times, audience, by RFC 8725. */
import {
  errors as jose,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from 'jose';
import type { IssuerConfig } from './schema.js';

/** Tolerated clock skew in seconds. */
const TOLERANCE = 5;
const LONGEST_SUBJECT = 200;
/** The header `typ`: an access token or nothing (RFC 9068); not a logout or event token, signed by the same keys. */
const TYPES: readonly unknown[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

/** Claims sufficient for a person. */
export interface VerifiedClaims extends JWTPayload {
  readonly sub: string;
  readonly exp: number;
}

/** A token that is refused for good. `message` completes "the token is not accepted: ". */
export class RefusedToken extends Error {
  /** No known key has signed it: another read of the issuer's keys may find one. */
  readonly unknownKey: boolean;

  constructor(message: string, unknownKey = false) {
    super(message);
    this.unknownKey = unknownKey;
  }
}

/** Throws `RefusedToken`. `now` in milliseconds. */
export async function verifyToken(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audience, authorizedParty, algorithms }: IssuerConfig,
  now: number,
): Promise<VerifiedClaims> {
  const options: JWTVerifyOptions = {
    issuer,
    algorithms,
    clockTolerance: TOLERANCE,
    requiredClaims: ['exp', 'sub'],
    currentDate: new Date(now),
    ...(audience !== undefined && { audience }),
  };
  const { payload, protectedHeader } = await verifiedBy(token, keys, options);
  if (!TYPES.includes(protectedHeader.typ?.toLowerCase()))
    throw new RefusedToken(`its type is not that of an access token`);
  const { sub, iat, azp } = payload;
  if (typeof sub !== 'string' || sub === '' || sub.length > LONGEST_SUBJECT)
    throw new RefusedToken(`its "sub" must be a text of 1 to ${LONGEST_SUBJECT} characters`);
  if (iat !== undefined && iat > now / 1000 + TOLERANCE) throw new RefusedToken('its "iat" is in the future');
  if (authorizedParty !== undefined && ![authorizedParty].flat().includes(azp as string))
    throw new RefusedToken('its "azp" is not an expected one');
  return payload as VerifiedClaims;
}

/** Whether the claims are valid at `now` (milliseconds); both ends include the tolerance. */
export function isTimely({ exp, nbf }: Pick<VerifiedClaims, 'exp' | 'nbf'>, now: number): boolean {
  const seconds = now / 1000;
  return seconds < exp + TOLERANCE && (nbf === undefined || nbf <= seconds + TOLERANCE);
}

async function verifiedBy(token: string, keys: JWTVerifyGetKey, options: JWTVerifyOptions) {
  try {
    return await jwtVerify(token, keys, options);
  } catch (error) {
    if (error instanceof jose.JWKSMultipleMatchingKeys) return verifiedByOneOf(token, error, options);
    throw refusalOf(error);
  }
}

/** A token without a key id is tried with each key of its kind (RFC 7517 4.5). */
async function verifiedByOneOf(
  token: string,
  candidates: jose.JWKSMultipleMatchingKeys,
  options: JWTVerifyOptions,
) {
  let last: unknown;
  for await (const key of candidates) {
    try {
      return await jwtVerify(token, key, options);
    } catch (error) {
      if (!(error instanceof jose.JWSSignatureVerificationFailed)) throw refusalOf(error);
      last = error;
    }
  }
  throw refusalOf(last);
}

function refusalOf(error: unknown): RefusedToken {
  if (error instanceof jose.JWTExpired) return new RefusedToken('it has expired');
  if (error instanceof jose.JWTClaimValidationFailed)
    return new RefusedToken(
      error.reason === 'missing'
        ? `it has no "${error.claim}"`
        : `its "${error.claim}" is not an expected one`,
    );
  if (error instanceof jose.JWKSNoMatchingKey)
    return new RefusedToken('no key of its issuer has signed it', true);
  if (error instanceof jose.JWSSignatureVerificationFailed) return new RefusedToken('its signature is wrong');
  if (error instanceof jose.JOSEAlgNotAllowed) return new RefusedToken('its algorithm is not allowed');
  return new RefusedToken('it is malformed');
}
