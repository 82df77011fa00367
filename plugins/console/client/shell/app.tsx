/** Shows the console to those with access, and the login to all others. */
import { Center, Container } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { Failed, Loading } from 'plugboard/console';
import type { ReactNode } from 'react';
import { Router } from 'wouter';
import { Frame } from './frame.js';
import { LanguageProvider } from './language.js';
import { Login } from './login.js';
import { useSession } from './server.js';

/** The console's path, without a trailing slash. */
export const base = new URL(document.baseURI).pathname.replace(/\/$/, '');

export function App(): ReactNode {
  return (
    <Router base={base}>
      <LanguageProvider>
        {/* Where there are titles, and neither fields nor buttons. */}
        <Notifications position="top-center" />
        <Entrance />
      </LanguageProvider>
    </Router>
  );
}

function Entrance(): ReactNode {
  const { data: session, error, refetch } = useSession();
  if (session === undefined)
    return (
      <Center mih="100vh">
        {error === null ? (
          <Loading />
        ) : (
          <Container size="xs">
            <Failed error={error} retry={refetch} />
          </Container>
        )}
      </Center>
    );
  return session.entered ? <Frame session={session} /> : <Login providers={session.providers} />;
}
