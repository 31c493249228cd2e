import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { Home } from './home/home.tsx'
import { Loading } from './parts/loading.tsx'
import { BrokenPage, MissingPage } from './shell/errors.tsx'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: MissingPage, errorComponent: BrokenPage })

const home = createRoute({ getParentRoute: () => root, path: '/', component: Home })

export const router = createRouter({
  routeTree: root.addChildren([home]),
  basepath: '/console',
  defaultPendingComponent: Loading,
  defaultErrorComponent: BrokenPage,
  defaultPreload: 'intent',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
