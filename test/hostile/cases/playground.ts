/** Requests against presets and prompts. */
import { hostileBodies, hostileValues, type HostileCase } from '../case.js';

const presets = { method: 'POST', path: '/api/playground/presets', scope: 'presets' } as const;
const good = { name: 'a', endpoint: 'chat', model: 'fast' };

export const cases: readonly HostileCase[] = [
  ...hostileBodies(presets.method, presets.path, presets.scope).slice(0, 6),
  ...hostileValues(presets, good, 'system'),
  ...hostileValues(presets, good, 'params'),
  ...hostileValues(
    { method: 'POST', path: '/api/playground/improve-prompt', scope: 'improve' },
    { model: 'fast' },
    'prompt',
  ),
  ...hostileValues(
    { method: 'POST', path: '/api/playground/presets/x/versions', scope: 'presets' },
    {},
    'prompt',
  ),
  ...hostileValues(
    { method: 'PUT', path: '/api/playground/presets/x/examples', scope: 'presets' },
    {},
    'examples',
  ),
  ...hostileValues({ method: 'POST', path: '/api/playground/presets/x/run', scope: 'run' }, {}, 'variables'),
  { name: 'an id that is a path', path: '/api/playground/presets/..%2f..%2f', scope: 'presets' },
];
