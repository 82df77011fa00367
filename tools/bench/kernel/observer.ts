/** A plugin that observes all that can be observed, and only counts. */
import { definePlugin, type Hooks, Type } from 'plugboard/sdk';

export default definePlugin({
  name: 'observer',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  observes: ['request', 'guard', 'store', 'job', 'call'],
  setup() {
    let counted = 0;
    const hook = { begin: () => (counted += 1), end: () => (counted += 1) };
    const hooks: Hooks = { request: hook, guard: hook, store: hook, job: hook, call: hook };
    return { hooks };
  },
});
