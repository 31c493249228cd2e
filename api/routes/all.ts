import { absenceRoutes } from './absences/routes.ts'
import { accessRoutes } from './access/routes.ts'
import { activityRoutes } from './activity/routes.ts'
import { artifactRoutes } from './artifacts/routes.ts'
import { assetRoutes } from './assets/routes.ts'
import { automationRoutes } from './automations/routes.ts'
import { brainRoutes } from './brains/routes.ts'
import { calendarRoutes } from './calendars/routes.ts'
import { conversationRoutes } from './conversations/routes.ts'
import { discoveryRoutes } from './discovery/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { evidenceRoutes } from './evidence/routes.ts'
import { hookRoutes } from './hooks/routes.ts'
import { interventionRoutes } from './interventions/routes.ts'
import { jobRoutes } from './jobs/routes.ts'
import { mcpRoutes } from '../mcp/routes.ts'
import { mcpToolkitRoutes } from './mcp-toolkits/routes.ts'
import { meetingRoutes } from './meetings/routes.ts'
import { neuronRoutes } from './neurons/routes.ts'
import { operatorRoutes } from './operators/routes.ts'
import { pathwayRoutes } from './pathways/routes.ts'
import { publicRoutes } from './public/routes.ts'
import { receptorRoutes } from './receptors/routes.ts'
import { recollectionRoutes } from './recollections/routes.ts'
import { reflexRoutes } from './reflexes/routes.ts'
import { resourceRoutes } from './resources/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { secretRoutes } from './secrets/routes.ts'
import { serviceRoutes } from './service/routes.ts'
import { sessionRoutes } from './session/routes.ts'
import { skillRoutes } from './skills/routes.ts'
import { stakeholderRoutes } from './stakeholders/routes.ts'
import { toolRoutes } from './tools/routes.ts'
import { transcribeRoutes } from './transcribe/routes.ts'
import { triggerRoutes } from './triggers/routes.ts'
import { usageRoutes } from './usage/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import type { ApiServices, RouteDeps } from '../deps.ts'
import type { Route } from '../routing/route.ts'

/** The routes of the API, in the order in which they are matched and described. */
const MODULES: ((services: ApiServices, deps: RouteDeps) => Route[])[] = [
  serviceRoutes,
  accessRoutes,
  brainRoutes,
  sessionRoutes,
  operatorRoutes,
  publicRoutes,
  neuronRoutes,
  receptorRoutes,
  skillRoutes,
  conversationRoutes,
  usageRoutes,
  activityRoutes,
  recollectionRoutes,
  pathwayRoutes,
  jobRoutes,
  interventionRoutes,
  absenceRoutes,
  calendarRoutes,
  evidenceRoutes,
  eventRoutes,
  webhookRoutes,
  searchRoutes,
  stakeholderRoutes,
  reflexRoutes,
  toolRoutes,
  mcpToolkitRoutes,
  mcpRoutes,
  secretRoutes,
  transcribeRoutes,
  meetingRoutes,
  triggerRoutes,
  hookRoutes,
  automationRoutes,
  discoveryRoutes,
  assetRoutes,
  artifactRoutes,
  resourceRoutes,
]

export const listRoutes = (services: ApiServices, deps: RouteDeps): Route[] =>
  MODULES.flatMap(build => build(services, deps))
