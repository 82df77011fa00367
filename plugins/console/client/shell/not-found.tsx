/** An unknown address of the console or the server. */
import { Button } from '@mantine/core';
import { Empty } from 'plugboard/console';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useWords } from './language.js';
import { useTitle } from './title.js';

export function NotFound(): ReactNode {
  const t = useWords();
  useTitle(t.notFound);
  return (
    <Empty
      title={t.notFound}
      action={
        <Button component={Link} href="/">
          {t.goHome}
        </Button>
      }
    >
      {t.notFoundHint(location.pathname)}
    </Empty>
  );
}
