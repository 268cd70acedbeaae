import { createTheme, type CSSVariablesResolver, Modal } from '@mantine/core';

const sans = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const mono = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Noto Sans Mono', monospace";

/** The theme of the page: system fonts and one primary colour. */
export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  autoContrast: true,
  defaultRadius: 'sm',
  fontFamily: sans,
  fontFamilyMonospace: mono,
  headings: { fontFamily: sans, fontWeight: '600' },
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Modal: Modal.extend({
      defaultProps: {
        // Its head is no second banner of the page.
        attributes: { header: { role: 'none' } },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    }),
  },
});

/** Colors with a contrast of at least 4.5 to 1 against the background. */
export const readableColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#6c737a',
    '--mantine-color-error': '#c92a2a',
    // Texts on a light background of the same color.
    '--mantine-color-orange-light-color': '#a83a00',
    '--mantine-color-yellow-light-color': '#7a4a00',
    '--mantine-color-teal-light-color': '#06694b',
  },
  dark: {
    '--mantine-color-dimmed': '#a3a3a3',
    '--mantine-color-placeholder': '#959595',
    '--mantine-color-error': '#ff8787',
  },
});
