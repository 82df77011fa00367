/** A page of the shell itself, with the same context as pages of plugins. */
import type { ReactNode } from 'react';
import { Context } from '../kit/context.js';
import { usePageContext } from './page-context.js';
import type { Session } from './server.js';
import { useTitle } from './title.js';

export interface ShellPageProps {
  readonly session: Session;
  readonly title: string;
  readonly children: ReactNode;
}

export function ShellPage({ session, title, children }: ShellPageProps): ReactNode {
  useTitle(title);
  const context = usePageContext({ plugin: 'console', prefix: '', id: 'home', title }, session);
  return <Context value={context}>{children}</Context>;
}
