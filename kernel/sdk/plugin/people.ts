/** Forgetting a person: what plugins say of the data that they keep of people. */

/** Whose data is meant, by every name under which plugins keep it. */
export interface Person {
  /** The number in the directory; absent for who is known by the tokens of an issuer alone. */
  readonly id?: number;
  /** See `principalId`: of the person's sessions and tokens, and of the keys that the person made. */
  readonly principals: readonly string[];
  /** `<issuer>|<subject>`: the part of a tenant's data that is the person's. */
  readonly userId?: string;
}

/** What a plugin returns from `setup` as `people`. Both work as soon as the plugin is set up. */
export interface PeopleData {
  /** All that is kept of the person, as JSON values; nothing that is a secret. */
  export(person: Person): AsyncIterable<object>;
  /** Removes it and resolves to the number of records. It may run again, after a crash too. */
  erase(person: Person): Promise<number>;
}

export interface People {
  /** The plugins that keep data of people; undefined while not every plugin is up. */
  list(): readonly { readonly plugin: string; readonly data: PeopleData }[] | undefined;
}
