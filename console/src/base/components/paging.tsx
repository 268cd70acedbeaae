import { Button, Group } from '@mantine/core';

/** The words of the buttons for a list that does not begin with the newest. */
export const inOrder = { first: 'First page', next: 'Next page' } as const;

interface PagingProps {
  cursor: string | undefined;
  nextCursor: string | null;
  onGo: (cursor: string | undefined) => void;
  first?: string;
  next?: string;
}

/** Buttons for the first and the next page of a list; the newest is first, unless they are named otherwise. */
export function Paging({
  cursor,
  nextCursor,
  onGo,
  first = 'Newest',
  next = 'Older',
}: PagingProps) {
  if (!cursor && !nextCursor) return undefined;
  return (
    <Group justify="center" gap="xs">
      <Button variant="default" size="xs" disabled={!cursor} onClick={() => onGo(undefined)}>
        {first}
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={!nextCursor}
        onClick={() => onGo(nextCursor ?? undefined)}
      >
        {next}
      </Button>
    </Group>
  );
}
