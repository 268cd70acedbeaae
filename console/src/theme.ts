import { createTheme } from '@mantine/core';

const sans = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const mono = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Noto Sans Mono', monospace";

/** The looks of the page: the fonts of the system, one quiet colour, small type. */
export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: { light: 9, dark: 8 },
  autoContrast: true,
  defaultRadius: 'sm',
  fontFamily: sans,
  fontFamilyMonospace: mono,
  headings: { fontFamily: sans, fontWeight: '600' },
  focusRing: 'auto',
});
