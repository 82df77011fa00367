/** The contract of the console with its pages, version 1. A page is a module that exports `mount`. */

/** Shows the page in the element, which is empty. Answers what takes it away again. */
export type Mount = (element: HTMLElement, context: PageContext) => (() => void) | void;

export interface PageContext {
  /** The version of the contract. */
  readonly console: 1;
  readonly page: PageInfo;
  /** The path below which the whole server is reached: `/plugboard` behind a proxy, else empty. */
  readonly root: string;
  readonly language: Language;
  readonly person: Person;
  /** The scheme that is shown now. */
  scheme(): Scheme;
  /** Calls the listener when the scheme changes. Answers what ends that. */
  onScheme(listener: (scheme: Scheme) => void): () => void;
  /** Calls the server as the person who is logged in. The path is one of the server: `/api/memory`. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Opens another address of the console: `/auth/keys?search=x`. */
  navigate(to: string): void;
  notify(notice: Notice): void;
}

export interface PageInfo {
  /** The id of the plugin in the config. */
  readonly plugin: string;
  /** Where the routes of the plugin are: `/data`, or empty. */
  readonly prefix: string;
  readonly id: string;
  readonly title: string;
}

export interface Person {
  /** Null while management is open to everybody. */
  readonly login: string | null;
  readonly access: 'admin' | 'viewer' | 'member' | null;
  readonly scopes: readonly string[];
}

export interface Notice {
  readonly message: string;
  readonly title?: string;
  /** Default: `done`. */
  readonly kind?: 'done' | 'failed';
  /** Takes it back. The notice has a button for it, which can be pressed once. */
  undo?(): void;
}

export type Scheme = 'light' | 'dark';
export type Language = 'en' | 'ko';
