/** State in the address, so that a reload, a bookmark and the back button keep it. */
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';

export type UrlValues = Readonly<Record<string, string>>;

/** Values that equal their default are not in the address. */
export function useUrlState<T extends UrlValues>(defaults: T): [T, (changes: Partial<T>) => void] {
  const [params, setParams] = useSearchParams();
  const names = Object.keys(defaults).join(' ');
  const state = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(defaults).map(([name, value]) => [name, params.get(name) ?? value]),
      ) as T,
    // The defaults are written at the call and do not change.
    [params, names],
  );
  const change = useCallback(
    (changes: Partial<T>) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes)) {
            if (value === undefined || value === defaults[name]) after.delete(name);
            else after.set(name, value);
          }
          return after;
        },
        // Each letter of a search would be a step back otherwise.
        { replace: true },
      ),
    [setParams, names],
  );
  return [state, change];
}
