import { lazy, type ReactNode, Suspense } from 'react'

/** Loaded in parallel with the session, so that the navigation appears first. */
const loaded = import('./theme-provider.tsx')
const ThemeProvider = lazy(() => loaded)

/** Shows content that uses Mantine. Shows the fallback until it is loaded. */
export const Themed = ({ fallback, children }: { fallback: ReactNode; children: ReactNode }) => (
  <Suspense fallback={fallback}>
    <ThemeProvider>{children}</ThemeProvider>
  </Suspense>
)
