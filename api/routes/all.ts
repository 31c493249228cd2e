import { absenceRoutes } from './people/absences/routes.ts'
import { accessRoutes } from './access/routes.ts'
import { activityRoutes } from './audit/activity/routes.ts'
import { artifactRoutes } from './documents/artifacts/routes.ts'
import { assetRoutes } from './documents/assets/routes.ts'
import { automationRoutes } from './triggers/automations/routes.ts'
import { brainRoutes } from './access/brains/routes.ts'
import { calendarRoutes } from './people/calendars/routes.ts'
import { conversationRoutes } from './agents/conversations/routes.ts'
import { discoveryRoutes } from './resources/discovery/routes.ts'
import { eventRoutes } from './webhooks/events/routes.ts'
import { evidenceRoutes } from './people/evidence/routes.ts'
import { hookRoutes } from './triggers/hooks/routes.ts'
import { interventionRoutes } from './people/interventions/routes.ts'
import { jobRoutes } from './runs/jobs/routes.ts'
import { mcpRoutes } from '../mcp/routes.ts'
import { mcpToolkitRoutes } from './tools/mcp-toolkits/routes.ts'
import { meetingRoutes } from './speech/meetings/routes.ts'
import { neuronRoutes } from './agents/neurons/routes.ts'
import { operatorRoutes } from './shared/operators/routes.ts'
import { pathwayRoutes } from './pathways/routes.ts'
import { publicRoutes } from './access/public/routes.ts'
import { receptorRoutes } from './agents/receptors/routes.ts'
import { recollectionRoutes } from './agents/recollections/routes.ts'
import { reflexRoutes } from './tools/reflexes/routes.ts'
import { resourceRoutes } from './resources/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { secretRoutes } from './tools/secrets/routes.ts'
import { serviceRoutes } from './shared/service/routes.ts'
import { sessionRoutes } from './access/session/routes.ts'
import { skillRoutes } from './agents/skills/routes.ts'
import { stakeholderRoutes } from './stakeholders/routes.ts'
import { toolRoutes } from './tools/routes.ts'
import { transcribeRoutes } from './speech/transcribe/routes.ts'
import { triggerRoutes } from './triggers/routes.ts'
import { usageRoutes } from './access/usage/routes.ts'
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
