/** One-time passwords of users: enabled, disabled, and accepted once each. */
import { type Clock, type Secrets } from 'plugboard/sdk';
import { errors } from '../errors.js';
import type { User, UserWithCredentials } from './documents.js';
import { matchingStep, newTotpSecret, totpUri } from './totp.js';
import type { Users } from './users.js';

export interface Enrolment {
  /** Base32, shown once. */
  readonly secret: string;
  /** What an authenticator app reads from a QR code. */
  readonly uri: string;
}

export class OneTimePasswords {
  readonly #users: Users;
  readonly #secrets: Secrets;
  readonly #clock: Clock;

  constructor(users: Users, secrets: Secrets, clock: Clock) {
    this.#users = users;
    this.#secrets = secrets;
    this.#clock = clock;
    secrets.keeps('one-time passwords of users', users.credentials, 'otp.secret', (id) =>
      contextOf(Number(id)),
    );
  }

  /** Enables two-factor authentication, with a new secret if it is enabled already. */
  async enrol(id: number): Promise<Enrolment> {
    const { login, type } = await this.#users.read(id);
    if (type === 'Organization') throw errors.organization_login();
    const secret = newTotpSecret();
    await this.#users.setCredentials(id, {
      otp: { secret: this.#secrets.seal(secret, contextOf(id)), lastStep: 0 },
    });
    return { secret, uri: totpUri(secret, login) };
  }

  async disable(id: number): Promise<User> {
    await this.#users.read(id);
    await this.#users.setCredentials(id, { otp: null });
    return this.#users.read(id);
  }

  /** Each code is accepted once (RFC 6238 5.2), even if sent twice at the same time. */
  async accept({ profile, credentials: { _id, otp } }: UserWithCredentials, code: string): Promise<boolean> {
    if (otp == null) return true;
    const secret = this.#open(otp.secret, profile.id);
    const step = matchingStep(secret, code, this.#clock.now());
    if (step === undefined) return false;
    const { matched } = await this.#users.credentials.updateOne(
      { _id, 'otp.secret': otp.secret, 'otp.lastStep': { $lt: step } },
      { $set: { 'otp.lastStep': step } },
    );
    return matched === 1;
  }

  #open(sealed: string, id: number): string {
    try {
      return this.#secrets.open(sealed, contextOf(id));
    } catch (error) {
      throw errors.otp_unreadable({ cause: error });
    }
  }
}

function contextOf(id: number): string {
  return `auth.users/${id}/otp`;
}
