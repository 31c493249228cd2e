import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  deepMerge,
  mergeMantineTheme,
} from '@mantine/core'
import { resolveVariables, theme } from './theme.ts'

/** Builds the style sheet that MantineProvider would write into the page. */
export function buildThemeCss(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme)
  return convertCssVariables(deepMerge(defaultCssVariablesResolver(merged), resolveVariables(merged)), ':root')
}
