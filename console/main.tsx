import '@fontsource-variable/inter/wght.css'
import '@mantine/core/styles/baseline.layer.css'
import 'virtual:theme.css'
import './shared/shell/shell.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { router } from './router.tsx'
import { queryClient } from './shared/service/query-client.ts'

const root = document.querySelector('#root')
if (!root) throw new Error('The root element is missing')

createRoot(root).render(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
)
