import { Group, Paper, Text, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';

/** A part of a page with its own heading. */
export function Section({
  id,
  title,
  about,
  actions,
  children,
}: {
  /** For links to it. */
  id?: string;
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const titleId = useId();
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      {...(id !== undefined && { id })}
      aria-labelledby={titleId}
    >
      <Group justify="space-between" align="flex-start" gap="xs" mb="sm">
        <div>
          <Title order={2} size="h5" id={titleId}>
            {title}
          </Title>
          {about && (
            <Text size="sm" c="dimmed">
              {about}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      {children}
    </Paper>
  );
}
