/** The views of a page, one of them shown; its name is in the URL. */
import { Box, SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from './context.js';

export interface ViewsProps {
  readonly label: string;
  /** From `useUrlState({ view: ... })`. */
  readonly value: string;
  /** Titles by name. */
  readonly views: Readonly<Record<string, string>>;
}

export function Views({ label, value, views }: ViewsProps): ReactNode {
  const { navigate, page } = useConsole();
  return (
    // Scrollable on a narrow screen.
    <Box maw="100%" style={{ overflowX: 'auto' }}>
      <SegmentedControl
        aria-label={label}
        value={value}
        // Filters do not carry over to another view.
        onChange={(next) => navigate(`/${page.plugin}/${page.id}?view=${next}`)}
        data={Object.entries(views).map(([view, title]) => ({ value: view, label: title }))}
      />
    </Box>
  );
}
