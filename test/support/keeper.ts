/** A plugin that needs the store and does nothing with it: storage is set up when a plugin needs it. */
import { definePlugin, STORAGE, Type } from 'plugboard/sdk';

export const keeper = definePlugin({
  name: 'keeper',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  needs: { storage: STORAGE },
  setup: () => ({}),
});
