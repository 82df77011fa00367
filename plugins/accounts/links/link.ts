/** An account link: leads one browser, once, to the page that completes an account. */
import { hash } from 'node:crypto';
import type { Document } from 'plugboard/sdk';
import type { LinkBody, LinkOptions } from './schema.js';

/** Where links lead; forms are below it. */
export const FIRST_PAGE = '/v2/onboarding';

/** Its id is the hash of the key in its URL. */
export interface LinkDocument extends Document {
  readonly platform: string;
  readonly account: string;
  /** JSON of the use case. */
  readonly useCase: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** When it is deleted: until then it redirects to its `refresh_url`. */
  readonly removeAt: Date;
  /** Hash of the session token of the browser that opened it. */
  readonly session: string | null;
  readonly sessionExpiresAt: Date | null;
  /** Forms that this browser may still submit. */
  readonly forms: number;
  /** Of the request that created it, if that had an idempotency key. */
  readonly fingerprint: string | null;
}

export type UseCase = LinkBody['use_case'];

export function useCaseOf({ useCase }: Pick<LinkDocument, 'useCase'>): UseCase {
  return JSON.parse(useCase) as UseCase;
}

/** The options of its type; undefined if the caller left them out. */
export function optionsOf(useCase: UseCase): LinkOptions | undefined {
  return useCase[useCase.type];
}

export function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
