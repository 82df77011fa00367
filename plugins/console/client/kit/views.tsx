/** The views of a page, of which one is shown; its name is in the address. */
import { Box, SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from './context.js';

export interface ViewsProps {
  readonly label: string;
  /** That of `useUrlState({ view: ... })`. */
  readonly value: string;
  /** Titles by name. */
  readonly views: Readonly<Record<string, string>>;
}

export function Views({ label, value, views }: ViewsProps): ReactNode {
  const { navigate, page } = useConsole();
  return (
    // On a narrow screen they scroll by themselves.
    <Box maw="100%" style={{ overflowX: 'auto' }}>
      <SegmentedControl
        aria-label={label}
        value={value}
        // The filters of one view mean nothing to another.
        onChange={(next) => navigate(`/${page.plugin}/${page.id}?view=${next}`)}
        data={Object.entries(views).map(([view, title]) => ({ value: view, label: title }))}
      />
    </Box>
  );
}
