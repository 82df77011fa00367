/** A plug between two boards. */
import type { ReactNode } from 'react';

export function Logo({ size = 24 }: { size?: number }): ReactNode {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden focusable="false">
      <rect width="24" height="24" rx="6" fill="var(--mantine-color-indigo-8)" />
      <path
        d="M9 5.5v4M15 5.5v4M7 9.5h10v2.2a5 5 0 0 1-10 0zM12 16.7v2.3"
        fill="none"
        stroke="#fff"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
