import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Copy } from './copy.tsx';

/** A secret that is shown only now. */
export const ShownOnce = ({
  what,
  value,
  about,
  onDone,
}: {
  what: string;
  value: string;
  about: string;
  onDone: () => void;
}) => (
  <Alert color="teal" variant="light" role="status" title={`The ${what} is shown only now`}>
    <Stack gap="xs">
      <Text size="sm">{about}</Text>
      <Group gap={4} wrap="nowrap">
        <span className="mono">{value}</span>
        <Copy value={value} what={what} />
      </Group>
      <Group>
        <Button size="xs" variant="default" onClick={onDone}>
          I have copied it
        </Button>
      </Group>
    </Stack>
  </Alert>
);
