import { Paper, Stack, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import logo from '../latchkey.svg';

/** A page without navigation, for callers without a session. */
export function Notice({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(`${title} – Latchkey`);
  return (
    <main className="entry">
      <Paper withBorder p="xl">
        <Stack gap="sm">
          <img src={logo} alt="Latchkey" width={36} height={36} />
          <Title order={1} size="h3">
            {title}
          </Title>
          {children}
        </Stack>
      </Paper>
    </main>
  );
}
