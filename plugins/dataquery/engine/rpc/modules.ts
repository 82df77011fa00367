/** Functions of trusted modules: plain JavaScript that the operator of the server has written. */
import { pathToFileURL } from 'node:url';
import type { ServiceError } from 'plugboard/sdk';
import type { CatalogFunction } from '../catalog/model.js';
import { errors } from '../base/errors.js';

/** What an exported function receives: `export async function total({ args, db, refuse }) { ... }`. */
export interface ModuleCall {
  /** JSON values by name; a row as an object. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly db: ModuleDatabase;
  /** `throw refuse('...')` answers 400 with this message (P0001). */
  readonly refuse: (message: string) => ServiceError;
}

export interface ModuleDatabase {
  /** Reads as a request does: `await db.read('films?year=gte.2000&select=id,title')`. */
  read(request: string): Promise<unknown[]>;
}

type ModuleFunction = (call: ModuleCall) => unknown;

export class Modules {
  readonly #loaded = new Map<string, Promise<Readonly<Record<string, unknown>>>>();

  /** Throws a TypeError if the module exports no such function. */
  async call(
    { body, name }: CatalogFunction,
    args: ModuleCall['args'],
    db: ModuleDatabase,
  ): Promise<unknown> {
    if (body.kind !== 'module') throw new TypeError(`${name} is not a function of a module`);
    const exported = (await this.#load(body.file))[body.exportName];
    if (typeof exported !== 'function') {
      throw new TypeError(`${body.file} exports no function "${body.exportName}"`);
    }
    const refuse = (message: string): ServiceError => errors.P0001({ values: { message } });
    return (exported as ModuleFunction)({ args, db, refuse });
  }

  #load(file: string): Promise<Readonly<Record<string, unknown>>> {
    let module = this.#loaded.get(file);
    if (module === undefined) {
      module = import(pathToFileURL(file).href) as Promise<Readonly<Record<string, unknown>>>;
      this.#loaded.set(file, module);
    }
    return module;
  }
}
