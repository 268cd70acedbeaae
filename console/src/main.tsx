import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createClient } from './api/client.ts';
import { notifyFailure } from './parts/notify.tsx';
import { router } from './routes.tsx';
import { styleNonce } from './style-nonce.ts';
import { readableColors, theme } from './theme.ts';

const container = document.getElementById('page');
if (!container) throw new Error('index.html has no element #page');

createRoot(container).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={readableColors}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <Notifications position="bottom-right" />
      <QueryClientProvider client={createClient(notifyFailure)}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
