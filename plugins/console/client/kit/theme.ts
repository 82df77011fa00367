/** Colours, type and components of the console. axe checks the contrast in test/browser, light and dark. */
import { Badge, createTheme, type CSSVariablesResolver } from '@mantine/core';

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
    // A narrow column would truncate the word to a letter.
    Badge: Badge.extend({
      defaultProps: { variant: 'dot', tt: 'none', fw: 500 },
      styles: { root: { verticalAlign: 'middle' }, label: { minWidth: 'max-content' } },
      // Filled gray is the badge's own gray in the dark.
      vars: (_theme, { color = 'indigo' }) => ({
        root: {
          '--badge-dot-color': `light-dark(var(--mantine-color-${color}-8), var(--mantine-color-${color}-5))`,
        },
      }),
    }),
    Button: { defaultProps: { size: 'sm', fw: 500 } },
    // Scrollable on a narrow screen.
    SegmentedControl: {
      defaultProps: { w: 'fit-content', maw: '100%', style: { overflowX: 'auto' } },
    },
    Modal: { defaultProps: { centered: true } },
    Drawer: { defaultProps: { position: 'right', size: 'lg' } },
    // Mantine's colour gives links too little contrast in the dark.
    Table: {
      defaultProps: {
        highlightOnHoverColor: 'light-dark(var(--mantine-color-gray-1), var(--mantine-color-dark-6))',
      },
    },
    Notification: {
      defaultProps: { withBorder: true },
      styles: { description: { color: 'var(--mantine-color-dimmed)' } },
    },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
  },
});

/** Dimmed text, errors and placeholders have too little contrast in Mantine's own colours. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-placeholder': '#6c757d',
    '--focus-color': 'var(--mantine-primary-color-filled)',
    '--control-border': 'var(--mantine-color-gray-6)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-placeholder': '#969696',
    // Shade 8 on hover is darker than its background.
    '--mantine-color-gray-light-hover': 'var(--mantine-color-default-hover)',
    '--focus-color': 'var(--mantine-color-indigo-4)',
    '--control-border': 'var(--mantine-color-dark-2)',
  },
});
