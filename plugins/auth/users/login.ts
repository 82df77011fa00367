/** Login with password and one-time password, as HTTP Basic sends them with every request. */
import type { ErrorDetails, ServiceError, UserProfile } from 'plugboard/sdk';
import { errors } from '../errors.js';
import type { Lockout } from '../password/lockout.js';
import type { Passwords, Verify } from '../password/passwords.js';
import type { UserWithCredentials } from './documents.js';
import type { OneTimePasswords } from './one-time-passwords.js';
import type { Users } from './users.js';

export interface LoginAttempt {
  readonly login: string;
  readonly password: string;
  readonly otp: string | undefined;
  /** IP address of the client. */
  readonly address: string;
}

/** Tells clients that a code is required; `app` means an authenticator app. */
const OTP_CHALLENGE = { 'x-github-otp': 'required; app' };

export class UserLogin {
  readonly #users: Pick<Users, 'find'>;
  readonly #otp: Pick<OneTimePasswords, 'accept'>;
  readonly #passwords: Passwords;
  readonly #lockout: Lockout;

  constructor(
    users: Pick<Users, 'find'>,
    otp: Pick<OneTimePasswords, 'accept'>,
    passwords: Passwords,
    lockout: Lockout,
  ) {
    this.#users = users;
    this.#otp = otp;
    this.#passwords = passwords;
    this.#lockout = lockout;
  }

  /** `challenge` is part of every refusal. */
  async verify(attempt: LoginAttempt, challenge: Pick<ErrorDetails, 'headers'>): Promise<UserProfile> {
    const user = await this.#users.find(attempt.login);
    const login = attempt.login.toLowerCase();
    if (user !== null && user.credentials.otp == null && this.#wasRight(user, attempt.password)) {
      await this.#lockout.refuseEarly(login, attempt.address);
    } else {
      await this.#lockout.attempt(login, attempt.address, (verify) =>
        this.#check(verify, user, attempt, challenge),
      );
    }
    // `attempt` throws for an unknown login.
    if (user === null) throw errors.bad_credentials(challenge);
    return user.profile;
  }

  /** The password alone, for a user who is logged in. */
  async verifyPassword({ login, password, address }: Omit<LoginAttempt, 'otp'>): Promise<void> {
    const user = await this.#users.find(login);
    await this.#lockout.attempt(login.toLowerCase(), address, async (verify) =>
      (await verify(password, user?.credentials.password ?? undefined)) ? undefined : errors.wrong_password(),
    );
  }

  #wasRight({ credentials }: UserWithCredentials, password: string): boolean {
    return credentials.password != null && this.#passwords.wasRight(password, credentials.password);
  }

  /** The refusal of a wrong guess. A missing code is not a guess: it is thrown. */
  async #check(
    verify: Verify,
    user: UserWithCredentials | null,
    { password, otp }: LoginAttempt,
    { headers }: Pick<ErrorDetails, 'headers'>,
  ): Promise<ServiceError | undefined> {
    const known = user !== null && this.#wasRight(user, password);
    const isRight = known || (await verify(password, user?.credentials.password ?? undefined));
    if (user === null || !isRight) return errors.bad_credentials(headers === undefined ? {} : { headers });
    if (user.credentials.otp == null) return undefined;
    const withChallenge = { headers: { ...headers, ...OTP_CHALLENGE } };
    if (otp === undefined) throw errors.otp_required(withChallenge);
    return (await this.#otp.accept(user, otp)) ? undefined : errors.invalid_otp(withChallenge);
  }
}
