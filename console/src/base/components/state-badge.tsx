import { Badge } from '@mantine/core';

/** The name and colour of a state. */
export interface StateLabel {
  name: string;
  color: string;
}

/** A state, by name and colour. */
export const StateBadge = ({ words }: { words: StateLabel }) => (
  <Badge variant="light" color={words.color} size="sm" radius="sm" tt="none" className="badge">
    {words.name}
  </Badge>
);
