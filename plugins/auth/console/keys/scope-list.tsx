/** The first scopes of a key, and the number of the others. */
import { Badge, Group, Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

const SHOWN = 3;

export function ScopeList({ scopes }: { scopes: readonly string[] }): ReactNode {
  const rest = scopes.slice(SHOWN);
  return (
    <Group gap={4}>
      {scopes.slice(0, SHOWN).map((scope) => (
        <Badge key={scope} variant="default" tt="none" fw={500}>
          {scope}
        </Badge>
      ))}
      {rest.length > 0 && (
        <Tooltip label={rest.join(', ')} multiline maw={320}>
          <Text size="xs" tabIndex={0}>
            +{rest.length}
          </Text>
        </Tooltip>
      )}
    </Group>
  );
}
