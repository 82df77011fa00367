/** Exporting and erasing a person's data across all plugins. */

/** A person, by every id under which plugins keep data. */
export interface Person {
  /** The number in the directory; absent for a person known only by an issuer's tokens. */
  readonly id?: number;
  /** See `principalId`: those of the person's sessions, tokens and API keys. */
  readonly principals: readonly string[];
  /** `<issuer>|<subject>`: the part of a tenant's data that is the person's. */
  readonly userId?: string;
}

/** What a plugin returns from `setup` as `people`. Both work as soon as the plugin is set up. */
export interface PeopleData {
  /** Everything kept about the person, as JSON values, without secrets. */
  export(person: Person): AsyncIterable<object>;
  /** Removes it and resolves to the number of records. Must bear repeating: it runs again after a crash. */
  erase(person: Person): Promise<number>;
}

export interface People {
  /** The plugins that keep personal data; undefined until every plugin is up. */
  list(): readonly { readonly plugin: string; readonly data: PeopleData }[] | undefined;
}
