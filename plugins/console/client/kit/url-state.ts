/** State in the URL, so that a reload, a bookmark and the back button keep it. */
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';

export type UrlValues = Readonly<Record<string, string>>;

/** Values equal to their defaults are not in the URL. */
export function useUrlState<T extends UrlValues>(defaults: T): [T, (changes: Partial<T>) => void] {
  const [params, setParams] = useSearchParams();
  const names = Object.keys(defaults).join(' ');
  const state = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(defaults).map(([name, value]) => [name, params.get(name) ?? value]),
      ) as T,
    // The defaults are literals at the call site and do not change.
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
        // Otherwise every keystroke of a search would be a step back.
        { replace: true },
      ),
    [setParams, names],
  );
  return [state, change];
}
