import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/global.layer.css'
import 'virtual:theme.css'
import './app.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { queryClient } from './service/query-client.ts'
import { router } from './router.tsx'
import { theme } from './theme.ts'

const root = document.querySelector('#root')
if (!root) throw new Error('The page has no root')

createRoot(root).render(
  <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </MantineProvider>,
)
