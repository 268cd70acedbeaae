import { Group, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** The heading of a page and the title of the window, with the actions of the page. */
export function PageTitle({
  title,
  about,
  children,
}: {
  title: string;
  about?: ReactNode;
  children?: ReactNode;
}) {
  useDocumentTitle(`${title} – Latchkey`);
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <div className="page-title">
        <Title order={1} size="h3" className="break">
          {title}
        </Title>
        {about && (
          <Text component="div" size="sm" c="dimmed" className="break">
            {about}
          </Text>
        )}
      </div>
      {children && <Group gap="xs">{children}</Group>}
    </Group>
  );
}
