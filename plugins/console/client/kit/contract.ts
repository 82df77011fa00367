/** The contract between the console and its pages, version 1. A page is a module that exports `mount`. */

/** Shows the page in the empty element. Returns a function that removes it. */
export type Mount = (element: HTMLElement, context: PageContext) => (() => void) | void;

export interface PageContext {
  /** The version of the contract. */
  readonly console: 1;
  readonly page: PageInfo;
  /** The path prefix of the server: `/plugboard` behind a proxy, else empty. */
  readonly root: string;
  readonly language: Language;
  readonly person: Person;
  /** The scheme shown now. */
  scheme(): Scheme;
  /** Calls the listener when the scheme changes. Returns a function that ends this. */
  onScheme(listener: (scheme: Scheme) => void): () => void;
  /** Calls the server as the logged-in person. `path` is on the server: `/api/memory`. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Opens another address of the console: `/auth/keys?search=x`. */
  navigate(to: string): void;
  notify(notice: Notice): void;
}

export interface PageInfo {
  /** The plugin's id in the config. */
  readonly plugin: string;
  /** The prefix of the plugin's routes: `/data`, or empty. */
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
  /** Undoes it. The notice has a button for it, which works once. */
  undo?(): void;
}

export type Scheme = 'light' | 'dark';
export type Language = 'en' | 'ko';
