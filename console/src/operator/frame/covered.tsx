import { MantineThemeProvider } from '@mantine/core';
import type { ReactNode } from 'react';

const withoutEscape = { components: { Modal: { defaultProps: { closeOnEscape: false } } } };
const asItIs = {};

/** Pages whose dialogs stay open when the Escape key closes a dialog above them. */
export const Covered = ({ isCovered, children }: { isCovered: boolean; children: ReactNode }) => (
  <MantineThemeProvider theme={isCovered ? withoutEscape : asItIs}>{children}</MantineThemeProvider>
);
