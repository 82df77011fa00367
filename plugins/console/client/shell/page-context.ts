/** The context that the shell passes to a page. */
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useRef } from 'react';
import type { PageContext, PageInfo, Scheme } from 'plugboard/console';
import { useLocation } from 'wouter';
import { useLanguage } from './language.js';
import { notify } from './notify.js';
import { fetchAsPerson, root, type Session } from './server.js';

export function usePageContext({ plugin, prefix, id, title }: PageInfo, session: Session): PageContext {
  const { language } = useLanguage();
  const schemes = useSchemes();
  const [, navigate] = useLocation();
  const { login, access, scopes } = session;
  const granted = scopes.join(' ');
  return useMemo(
    () => ({
      console: 1,
      page: { plugin, prefix, id, title },
      root,
      language,
      person: { login, access, scopes },
      ...schemes,
      fetch: fetchAsPerson,
      navigate: (to) => navigate(to),
      notify: (notice) => notify(notice, language),
    }),
    [plugin, prefix, id, title, language, login, access, granted, schemes, navigate],
  );
}

/** The colour scheme for code outside this React tree. */
function useSchemes(): Pick<PageContext, 'scheme' | 'onScheme'> {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const now = useRef<Scheme>(scheme);
  const listeners = useRef(new Set<(scheme: Scheme) => void>());
  useEffect(() => {
    now.current = scheme;
    for (const listener of listeners.current) listener(scheme);
  }, [scheme]);
  return useMemo(
    () => ({
      scheme: () => now.current,
      onScheme: (listener) => {
        listeners.current.add(listener);
        return () => listeners.current.delete(listener);
      },
    }),
    [],
  );
}
