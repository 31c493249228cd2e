import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { readAutomationsSearch } from './automations/search.ts'
import { readChatSearch } from './chat/search.ts'
import { readDocumentsSearch } from './documents/search.ts'
import { readInboxSearch } from './inbox/search.ts'
import { Loading } from './parts/loading.tsx'
import { readPathwaySearch } from './pathways/search.ts'
import { readRunSearch } from './runs/run-search.ts'
import { readRunsSearch } from './runs/search.ts'
import { readUsageSearch } from './usage/search.ts'
import { readSettingsSearch } from './settings/search.ts'
import { readMapSearch } from './stakeholders/search.ts'
import { BrokenPage, MissingPage } from './shell/errors.tsx'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: MissingPage, errorComponent: BrokenPage })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./home/home.tsx'), 'Home'),
})

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  validateSearch: readInboxSearch,
  component: lazyRouteComponent(() => import('./inbox/inbox.tsx'), 'Inbox'),
})
const intervention = createRoute({ getParentRoute: () => inbox, path: '$interventionId' })

const runs = createRoute({
  getParentRoute: () => root,
  path: '/runs',
  validateSearch: readRunsSearch,
  component: lazyRouteComponent(() => import('./runs/runs.tsx'), 'Runs'),
})
const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$jobId',
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => import('./runs/run.tsx'), 'Run'),
})

const pathways = createRoute({
  getParentRoute: () => root,
  path: '/pathways',
  component: lazyRouteComponent(() => import('./pathways/pathways.tsx'), 'Pathways'),
})
const pathway = createRoute({
  getParentRoute: () => root,
  path: '/pathways/$pathwayId',
  validateSearch: readPathwaySearch,
  component: lazyRouteComponent(() => import('./pathways/pathway.tsx'), 'Pathway'),
})

const editPathway = createRoute({
  getParentRoute: () => root,
  path: '/pathways/$pathwayId/edit',
  component: lazyRouteComponent(() => import('./pathways/edit-pathway.tsx'), 'EditPathway'),
})
const newPathway = createRoute({
  getParentRoute: () => root,
  path: '/new-pathway',
  component: lazyRouteComponent(() => import('./pathways/edit-pathway.tsx'), 'NewPathway'),
})

const automations = createRoute({
  getParentRoute: () => root,
  path: '/automations',
  validateSearch: readAutomationsSearch,
  component: lazyRouteComponent(() => import('./automations/automations.tsx'), 'Automations'),
})

const chat = createRoute({
  getParentRoute: () => root,
  path: '/chat',
  validateSearch: readChatSearch,
  component: lazyRouteComponent(() => import('./chat/chat.tsx'), 'Chat'),
})
const thread = createRoute({ getParentRoute: () => chat, path: '$traceId' })

const documents = createRoute({
  getParentRoute: () => root,
  path: '/documents',
  validateSearch: readDocumentsSearch,
  component: lazyRouteComponent(() => import('./documents/documents.tsx'), 'Documents'),
})

const usage = createRoute({
  getParentRoute: () => root,
  path: '/usage',
  validateSearch: readUsageSearch,
  component: lazyRouteComponent(() => import('./usage/usage.tsx'), 'UsagePage'),
})

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  validateSearch: readSettingsSearch,
  component: lazyRouteComponent(() => import('./settings/settings.tsx'), 'Settings'),
})

const maps = createRoute({
  getParentRoute: () => root,
  path: '/stakeholders',
  component: lazyRouteComponent(() => import('./stakeholders/maps.tsx'), 'StakeholderMaps'),
})
const map = createRoute({
  getParentRoute: () => root,
  path: '/stakeholders/$mapId',
  validateSearch: readMapSearch,
  component: lazyRouteComponent(() => import('./stakeholders/map.tsx'), 'StakeholderMap'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    inbox.addChildren([intervention]),
    runs,
    run,
    pathways,
    pathway,
    editPathway,
    newPathway,
    automations,
    chat.addChildren([thread]),
    documents,
    usage,
    settings,
    maps,
    map,
  ]),
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
