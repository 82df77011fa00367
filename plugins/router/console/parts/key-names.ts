/** Names of API keys: records of usage have their ids. */
import { useRead } from 'plugboard/console';

interface Keys {
  readonly keys: readonly { readonly id: string; readonly name: string }[];
}

/** The newest, in this order; empty until they are read, and for those who may not see keys. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const { data } = useRead<Keys>({ path: '/api/keys', query: { limit: 500 } });
  return new Map(data?.keys.map(({ id, name }) => [id, name]));
}
