/** An account link: it leads one browser, once, to the page on which an account is completed. */
import { hash } from 'node:crypto';
import type { Document } from 'plugboard/sdk';
import type { LinkBody, LinkOptions } from './schema.js';

/** Where links lead; forms lie below it. */
export const FIRST_PAGE = '/v2/onboarding';

/** Its id is the hash of the key in its address. */
export interface LinkDocument extends Document {
  readonly platform: string;
  readonly account: string;
  /** JSON of the use case. */
  readonly useCase: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** When it is forgotten: until then it leads to its `refresh_url`. */
  readonly removeAt: Date;
  /** Hash of the token of the browser that opened it. */
  readonly session: string | null;
  readonly sessionExpiresAt: Date | null;
  /** Forms that this browser may still send. */
  readonly forms: number;
  /** Of the request that made it, when that had an idempotency key. */
  readonly fingerprint: string | null;
}

export type UseCase = LinkBody['use_case'];

export function useCaseOf({ useCase }: Pick<LinkDocument, 'useCase'>): UseCase {
  return JSON.parse(useCase) as UseCase;
}

/** The options of its type; undefined where the caller left them out. */
export function optionsOf(useCase: UseCase): LinkOptions | undefined {
  return useCase[useCase.type];
}

export function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
