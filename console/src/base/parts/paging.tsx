import { Button, Group } from '@mantine/core';

/** What a list of pages needs: its cursors, and what a button does. */
export interface PagingProps {
  cursor: string | undefined;
  nextCursor: string | null;
  onGo: (cursor: string | undefined) => void;
}

/** Buttons for the first and the next page of a list; the newest is first, unless they are named otherwise. */
export function Paging({
  cursor,
  nextCursor,
  onGo,
  first = 'Newest',
  next = 'Older',
}: PagingProps & { first?: string; next?: string }) {
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
