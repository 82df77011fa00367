/** The embedded store as export and import see it. */
import type { WholeStore } from '../transfer/whole-store.js';
import type { EmbeddedStore } from './storage.js';

export function wholeStore(store: EmbeddedStore): WholeStore {
  return {
    id: store.environment.store,
    directory: store.environment.directory,
    collections: async () => store.collections(),
    open: async (name) => store.existing(name),
  };
}
