/** Colours, type and components of the console. Contrast is held by axe in test/browser, light and dark. */
import { createTheme, type CSSVariablesResolver } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  // A lighter one has too little contrast with white text.
  primaryShade: 8,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    'Inter, system-ui, -apple-system, "Segoe UI", "Noto Sans KR", "Apple SD Gothic Neo", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.125rem' } } },
  components: {
    // The colour is in the frame and the picture.
    Alert: { styles: { title: { color: 'var(--mantine-color-text)' } } },
    // The colour is in the dot, so the text keeps its contrast.
    // A narrow column would shorten its word to a letter.
    Badge: {
      defaultProps: { variant: 'dot', tt: 'none', fw: 500 },
      styles: { label: { minWidth: 'max-content' } },
    },
    Button: { defaultProps: { size: 'sm', fw: 500 } },
    // A narrow screen scrolls it.
    SegmentedControl: {
      defaultProps: { w: 'fit-content', maw: '100%', style: { overflowX: 'auto' } },
    },
    Modal: { defaultProps: { centered: true } },
    Drawer: { defaultProps: { position: 'right', size: 'lg' } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
  },
});

/** Dimmed text and errors have too little contrast in Mantine's own colours. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
});
