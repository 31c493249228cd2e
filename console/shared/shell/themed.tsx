import { lazy, type ReactNode, Suspense } from 'react'

/** Loaded while the session is read, so that the navigation shows before it. */
const loaded = import('./theme-provider.tsx')
const ThemeProvider = lazy(() => loaded)

/** Shows what is made of parts of Mantine, with the fallback until they are loaded. */
export const Themed = ({ fallback, children }: { fallback: ReactNode; children: ReactNode }) => (
  <Suspense fallback={fallback}>
    <ThemeProvider>{children}</ThemeProvider>
  </Suspense>
)
