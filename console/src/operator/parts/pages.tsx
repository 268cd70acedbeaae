import { Button, Group } from '@mantine/core';

/** Buttons for the first and the next page of a list. */
export function Pages({
  cursor,
  nextCursor,
  onGo,
}: {
  cursor: string | undefined;
  nextCursor: string | null;
  onGo: (cursor: string | undefined) => void;
}) {
  if (!cursor && !nextCursor) return undefined;
  return (
    <Group justify="center" gap="xs">
      <Button variant="default" size="xs" disabled={!cursor} onClick={() => onGo(undefined)}>
        First page
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={!nextCursor}
        onClick={() => onGo(nextCursor ?? undefined)}
      >
        Next page
      </Button>
    </Group>
  );
}
