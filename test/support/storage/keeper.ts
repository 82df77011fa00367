/** A plugin that needs the store and does nothing with it: storage is set up when a plugin needs it. */
import { definePlugin, SECRETS, STORAGE, Type } from 'plugboard/sdk';

export const keeper = definePlugin({
  name: 'keeper',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  needs: { storage: STORAGE },
  setup: () => ({}),
});

/** The same, with the sealing of secrets. */
export const sealer = definePlugin({
  name: 'sealer',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  needs: { storage: STORAGE, secrets: SECRETS },
  setup: () => ({}),
});
