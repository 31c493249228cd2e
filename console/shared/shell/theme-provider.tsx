import '@mantine/core/styles/global.layer.css'
import '../parts/parts.css'
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { theme } from '../theme.ts'

/** Provides Mantine's context. The content security policy forbids styles generated in the page. */
const ThemeProvider = ({ children }: { children: ReactNode }) => (
  <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
    {children}
  </MantineProvider>
)

export default ThemeProvider
