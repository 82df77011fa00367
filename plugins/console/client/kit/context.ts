/** The console around a page, for the page's components. */
import { createContext, useContext, useEffect, useState } from 'react';
import type { PageContext, Scheme } from './contract.js';

export const Context = createContext<PageContext | undefined>(undefined);

/** The context that `mount` got. */
export function useConsole(): PageContext {
  const context = useContext(Context);
  if (context === undefined)
    throw new Error('a component of plugboard/console is used outside of reactPage()');
  return context;
}

export function useScheme(): Scheme {
  const context = useConsole();
  const [scheme, setScheme] = useState(context.scheme());
  useEffect(() => context.onScheme(setScheme), [context]);
  return scheme;
}
