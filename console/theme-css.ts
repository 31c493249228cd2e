import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  deepMerge,
  mergeMantineTheme,
  type MantineTheme,
} from '@mantine/core'
import { resolveVariables, theme } from './theme.ts'

/** Builds the style sheet that MantineProvider would write into the page, with the colours that the page uses. */
export function buildThemeCss(): string {
  const { dark, gray, red, indigo } = DEFAULT_THEME.colors
  const merged = {
    ...mergeMantineTheme(DEFAULT_THEME, theme),
    colors: { dark, gray, red, indigo } as MantineTheme['colors'],
  }
  return convertCssVariables(deepMerge(defaultCssVariablesResolver(merged), resolveVariables(merged)), ':root')
}
