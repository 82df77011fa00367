/** The scopes that API keys of this deployment may hold. */

export interface DeclaredScope {
  readonly name: string;
  /** One sentence: what a key with this scope may do. */
  readonly summary: string;
  /** The name of the plugin that declares it. */
  readonly plugin: string;
}

/** All scopes that the enabled plugins declare, by name. */
export type Scopes = readonly DeclaredScope[];
