import { CodeHighlightAdapterProvider } from '@mantine/code-highlight';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { type QueryKey, QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createClient } from './api/client.ts';
import { highlighting } from './parts/highlighting.ts';
import { notifyFailure } from './parts/notify.tsx';
import { styleNonce } from './style-nonce.ts';
import { readableColors, theme } from './theme.ts';

/** Renders the page of a router into the document. `sessionKey`: the query of its session. */
export function renderPage(router: AnyRouter, sessionKey: QueryKey): void {
  const container = document.getElementById('page');
  if (!container) throw new Error('the document has no element #page');
  createRoot(container).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={readableColors}
        defaultColorScheme="auto"
        getStyleNonce={() => styleNonce}
      >
        <Notifications position="bottom-right" />
        <CodeHighlightAdapterProvider adapter={highlighting}>
          <QueryClientProvider client={createClient(sessionKey, notifyFailure)}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </CodeHighlightAdapterProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
