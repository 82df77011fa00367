/** Loads the module of a page and mounts it. */
import { Failed, Loading, type Mount, type PageContext } from 'plugboard/console';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { NotFound } from './not-found.js';
import { usePageContext } from './page-context.js';
import type { ListedPage, Session } from './server.js';
import { useTitle } from './title.js';

interface PageHostProps {
  readonly session: Session;
  readonly plugin: string;
  readonly id: string;
}

export function PageHost({ session, plugin, id }: PageHostProps): ReactNode {
  const page = session.pages.find((one) => one.plugin === plugin && one.id === id);
  return page === undefined ? <NotFound /> : <Mounted page={page} session={session} />;
}

function Mounted({ page, session }: { page: ListedPage; session: Session }): ReactNode {
  const context = usePageContext(page, session);
  const element = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'shown' | { error: unknown }>('loading');
  const [tries, setTries] = useState(0);
  useTitle(page.title);
  useEffect(() => {
    let left = false;
    let unmount: (() => void) | void;
    // React allows only one root per element.
    const place = document.createElement('div');
    element.current!.replaceChildren(place);
    setState('loading');
    load(page).then(
      (mount) => {
        if (left) return;
        try {
          unmount = mount(place, context);
          setState('shown');
        } catch (error) {
          setState({ error });
        }
      },
      (error: unknown) => {
        if (!left) setState({ error });
      },
    );
    return () => {
      left = true;
      unmount?.();
    };
  }, [page, context, tries]);
  return (
    <>
      {state === 'loading' && <Loading />}
      {typeof state === 'object' && <Failed error={state.error} retry={() => setTries(tries + 1)} />}
      <div ref={element} hidden={state !== 'shown'} />
    </>
  );
}

async function load({ module, css }: ListedPage): Promise<Mount> {
  await Promise.all(css.map(addSheet));
  const address = new URL(module, document.baseURI).href;
  const { mount } = (await import(/* @vite-ignore */ address)) as {
    mount?: (element: HTMLElement, context: PageContext) => () => void;
  };
  if (typeof mount !== 'function') throw new Error(`${module} exports no function "mount"`);
  return mount;
}

/** A style sheet is added once and stays. A page is shown without one that fails to load. */
function addSheet(file: string): Promise<void> {
  const address = new URL(file, document.baseURI).href;
  const there = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')];
  if (there.some(({ href }) => href === address)) return Promise.resolve();
  return new Promise((resolve) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = address;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => resolve());
    document.head.append(link);
  });
}
