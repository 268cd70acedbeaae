import { Badge } from '@mantine/core';
import type { StateWords } from '../words/states.ts';

/** A state by its name; the colour only repeats it. */
export const StateBadge = ({ words }: { words: StateWords }) => (
  <Badge variant="light" color={words.color} size="sm" radius="sm" tt="none" className="badge">
    {words.name}
  </Badge>
);
