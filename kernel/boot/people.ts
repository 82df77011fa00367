/** Collects the plugins' parts for exporting and erasing a person's data. */
import type { People } from '../sdk/plugin/people.js';
import type { PluginInstance } from './instance.js';

/** Undefined while a plugin is missing: its data would be left out. */
export function peopleOf(plugins: readonly PluginInstance[]): ReturnType<People['list']> {
  if (plugins.some(({ state }) => state !== 'up')) return undefined;
  return plugins.flatMap(({ id, contribution: { people: data } }) =>
    data === undefined ? [] : [{ plugin: id, data }],
  );
}
