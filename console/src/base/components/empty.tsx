import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** An empty list: what it means and what to do. */
export const Empty = ({ title, children }: { title: string; children: ReactNode }) => (
  <Paper withBorder p="xl" className="empty">
    <Stack gap="xs" align="center" ta="center" maw="34rem" mx="auto">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text component="div" size="sm" c="dimmed">
        {children}
      </Text>
    </Stack>
  </Paper>
);
