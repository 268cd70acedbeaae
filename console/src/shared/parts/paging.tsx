import { Button, Group } from '@mantine/core';

/** Buttons for older pages of a list and for the newest. */
export function Paging({
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
        Newest
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={!nextCursor}
        onClick={() => onGo(nextCursor ?? undefined)}
      >
        Older
      </Button>
    </Group>
  );
}
