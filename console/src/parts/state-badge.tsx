import { Badge } from '@mantine/core';
import type { StateLabel } from '../words/states.ts';

/** A state, by name and colour. */
export const StateBadge = ({ words }: { words: StateLabel }) => (
  <Badge variant="light" color={words.color} size="sm" radius="sm" tt="none" className="badge">
    {words.name}
  </Badge>
);
