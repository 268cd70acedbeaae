import { Group, Text } from '@mantine/core';
import { Copy } from '../../../base/components/copy.tsx';

/** A visible secret with a copy button. */
export const SecretValue = ({ secret, what }: { secret: string; what: string }) => (
  <Group gap="xs" wrap="nowrap" align="flex-start">
    <Text component="code" size="sm" className="mono" aria-label={what}>
      {secret}
    </Text>
    <Copy value={secret} what={what} />
  </Group>
);
