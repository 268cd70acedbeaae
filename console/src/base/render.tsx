import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { keepMessagesClear } from './components/keep-messages-clear.ts';
import { styleNonce } from './style-nonce.ts';
import { readableColors, theme } from './theme.ts';

/** Renders the page of a router into the document. */
export function renderPage(router: AnyRouter, client: QueryClient): void {
  const container = document.getElementById('page');
  if (!container) throw new Error('the document has no element #page');
  keepMessagesClear();
  createRoot(container).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={readableColors}
        defaultColorScheme="auto"
        getStyleNonce={() => styleNonce}
      >
        <Notifications position="top-right" />
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
