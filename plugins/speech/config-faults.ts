/** Names in the config that match nothing. */
import type { ConfigFault } from 'plugboard/sdk';
import type { SpeechConfig } from './config.js';

export function* configFaults({ engines, upstreams, timeZone }: SpeechConfig): Generator<ConfigFault> {
  const known = ['embedded', ...upstreams.map(({ name }) => name)];
  for (const [at, name] of engines.entries())
    if (!known.includes(name))
      yield {
        path: ['engines', at],
        message: `there is no engine "${name}" (known: ${known.join(', ')}); name it in upstreams`,
      };
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch {
    yield { path: ['timeZone'], message: `there is no time zone "${timeZone}"; one is Asia/Seoul` };
  }
}
