import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { readAutomationsSearch } from './triggers/search.ts'
import { readChatSearch } from './agents/search.ts'
import { readDocumentsSearch } from './documents/search.ts'
import { readInboxSearch } from './people/search.ts'
import { Loading } from './shared/parts/loading.tsx'
import { readPathwaySearch } from './pathways/search.ts'
import { readRunSearch, readRunsSearch } from './runs/search.ts'
import { readSettingsSearch } from './access/settings-search.ts'
import { BrokenPage, MissingPage } from './shared/shell/errors.tsx'
import { Shell } from './shared/shell/shell.tsx'
import { readMapSearch } from './stakeholders/search.ts'
import { readUsageSearch } from './access/usage-search.ts'

const root = createRootRoute({ component: Shell, notFoundComponent: MissingPage, errorComponent: BrokenPage })

/** Defines a page: its URL, its search parameters, and the name of its lazily loaded code. */
const page = <const Path extends string, Search extends object, Name extends string>(
  path: Path,
  validateSearch: (search: Record<string, unknown>) => Search,
  name: Name,
  load: () => Promise<Record<Name, ComponentType>>,
) => createRoute({ getParentRoute: () => root, path, validateSearch, component: lazyRouteComponent(load, name) })

const readNothing = () => ({})

const inbox = page('/inbox', readInboxSearch, 'Inbox', () => import('./people/inbox.tsx'))
const intervention = createRoute({ getParentRoute: () => inbox, path: '$interventionId' })
const chat = page('/chat', readChatSearch, 'Chat', () => import('./agents/chat.tsx'))
const thread = createRoute({ getParentRoute: () => chat, path: '$traceId' })

export const router = createRouter({
  routeTree: root.addChildren([
    page('/', readNothing, 'Home', () => import('./shared/home.tsx')),
    inbox.addChildren([intervention]),
    page('/runs', readRunsSearch, 'Runs', () => import('./runs/runs.tsx')),
    page('/runs/$jobId', readRunSearch, 'Run', () => import('./runs/run.tsx')),
    page('/pathways', readNothing, 'Pathways', () => import('./pathways/pathways.tsx')),
    page('/pathways/$pathwayId', readPathwaySearch, 'Pathway', () => import('./pathways/pathway.tsx')),
    page('/pathways/$pathwayId/edit', readNothing, 'EditPathway', () => import('./pathways/editor.tsx')),
    page('/new-pathway', readNothing, 'Editor', () => import('./pathways/editor.tsx')),
    page('/automations', readAutomationsSearch, 'Automations', () => import('./triggers/automations.tsx')),
    chat.addChildren([thread]),
    page('/documents', readDocumentsSearch, 'Documents', () => import('./documents/documents.tsx')),
    page('/notifications', readNothing, 'Notifications', () => import('./channels/notifications.tsx')),
    page('/usage', readUsageSearch, 'UsagePage', () => import('./access/usage.tsx')),
    page('/settings', readSettingsSearch, 'Settings', () => import('./access/settings.tsx')),
    page('/stakeholders', readNothing, 'StakeholderMaps', () => import('./stakeholders/maps.tsx')),
    page('/stakeholders/$mapId', readMapSearch, 'StakeholderMap', () => import('./stakeholders/map.tsx')),
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
