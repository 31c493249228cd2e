import { createTheme, type CSSVariablesResolver } from '@mantine/core'

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  defaultRadius: 'md',
  fontFamily: '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  components: {
    // Locking the scroll position would write styles, which the content security policy forbids.
    Modal: { defaultProps: { lockScroll: false, closeButtonProps: { 'aria-label': 'Close' } } },
    Textarea: { defaultProps: { autosize: true, minRows: 1, maxRows: 8 } },
    JsonInput: { defaultProps: { autosize: true, minRows: 3, maxRows: 12 } },
  },
})

/** Colors with a contrast of at least 4.5:1 against their background. Mantine's defaults have less contrast. */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#656c74',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-anchor': '#364fc7',
    '--surface': '#ffffff',
    '--canvas': '#f6f7f9',
    '--line': '#dee2e6',
    '--good': '#226b34',
    '--good-soft': '#e6f6ea',
    '--bad': '#b42318',
    '--bad-soft': '#fdecea',
    '--busy': '#1756b8',
    '--busy-soft': '#e7f0fd',
    '--wait': '#8a4b00',
    '--wait-soft': '#fff3df',
    '--idle': '#555c64',
    '--idle-soft': '#eef0f2',
  },
  dark: {
    '--mantine-color-dimmed': '#adb5bd',
    '--mantine-color-placeholder': '#9aa2ab',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#91a7ff',
    '--mantine-color-body': '#16181c',
    '--surface': '#1e2126',
    '--canvas': '#16181c',
    '--line': '#363b43',
    '--good': '#7fd795',
    '--good-soft': '#17301f',
    '--bad': '#ff9b91',
    '--bad-soft': '#3a1b1a',
    '--busy': '#8fbcff',
    '--busy-soft': '#172a45',
    '--wait': '#ffc56b',
    '--wait-soft': '#38290f',
    '--idle': '#b9c0c8',
    '--idle-soft': '#2a2e35',
  },
})
