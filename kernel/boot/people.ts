/** What the plugins say of the data that they keep of people. */
import type { People } from '../sdk/plugin/people.js';
import type { PluginInstance } from './instance.js';

/** Undefined while a plugin is missing: of what it keeps nothing would be told. */
export function peopleOf(plugins: readonly PluginInstance[]): ReturnType<People['list']> {
  if (plugins.some(({ state }) => state !== 'up')) return undefined;
  return plugins.flatMap(({ id, contribution: { people: data } }) =>
    data === undefined ? [] : [{ plugin: id, data }],
  );
}
