/** A small button in a list row. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

export interface RowButtonProps {
  /** Also names the row, for screen readers: `Revoke backend`. */
  readonly label: string;
  /** The verb: `Revoke`. */
  readonly children: ReactNode;
  onClick(): void;
}

export function RowButton({ label, children, onClick }: RowButtonProps): ReactNode {
  return (
    <Button size="compact-sm" variant="default" aria-label={label} onClick={onClick}>
      {children}
    </Button>
  );
}
