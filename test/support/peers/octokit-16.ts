/** `@octokit/rest` 16 with types of our own: those that it brings name no class. */
import octokit from 'octokit-rest-16';

interface Answer<T = Authorization> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly data: T;
}

interface Authorization {
  readonly id: number;
  readonly url: string;
  readonly token: string;
  readonly note: string | null;
  readonly scopes: readonly string[];
  readonly user: { readonly login: string };
}

type Method<T = Authorization> = (parameters?: object) => Promise<Answer<T>>;

export interface Octokit16 {
  readonly oauthAuthorizations: {
    readonly listAuthorizations: Method<readonly Authorization[]>;
    readonly getAuthorization: Method;
    readonly createAuthorization: Method;
    readonly updateAuthorization: Method;
    readonly deleteAuthorization: Method;
    readonly getOrCreateAuthorizationForApp: Method;
    readonly getOrCreateAuthorizationForAppAndFingerprint: Method;
    readonly checkAuthorization: Method;
    readonly resetAuthorization: Method;
    readonly revokeAuthorizationForApplication: Method;
  };
  request(route: string, parameters?: object): Promise<Answer<unknown>>;
  paginate(route: string, parameters?: object): Promise<unknown[]>;
}

export const Octokit16 = octokit as unknown as new (options: object) => Octokit16;
