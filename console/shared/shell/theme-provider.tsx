import '@mantine/core/styles/global.layer.css'
import '../parts/parts.css'
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { theme } from '../theme.ts'

/** What the parts of Mantine need around them. The policy of the page allows no styles that are made in it. */
const ThemeProvider = ({ children }: { children: ReactNode }) => (
  <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
    {children}
  </MantineProvider>
)

export default ThemeProvider
