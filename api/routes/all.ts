import { absenceRoutes } from './people/absences.ts'
import { accessRoutes } from './access/routes.ts'
import { activityRoutes } from './audit/activity.ts'
import { artifactRoutes } from './documents/artifacts.ts'
import { assetRoutes } from './documents/assets.ts'
import { automationRoutes } from './triggers/automations.ts'
import { brainRoutes } from './access/brains.ts'
import { calendarRoutes } from './people/calendars.ts'
import { channelAccountRoutes } from './channels/accounts.ts'
import { channelRoutes } from './channels/channels.ts'
import { notificationRuleRoutes } from './channels/notification-rules.ts'
import { notificationRoutes } from './channels/notifications.ts'
import { pushSubscriptionRoutes } from './channels/push-subscriptions.ts'
import { receiveRoutes } from './channels/receive.ts'
import { conversationRoutes } from './agents/conversations.ts'
import { discoveryRoutes } from './resources/discovery.ts'
import { eventRoutes } from './webhooks/events.ts'
import { evidenceRoutes } from './people/evidence.ts'
import { fileRoutes } from './documents/files.ts'
import { hookRoutes } from './triggers/hooks.ts'
import { interventionRoutes } from './people/interventions.ts'
import { jobRoutes } from './runs/jobs/routes.ts'
import { mcpRoutes } from '../mcp/routes.ts'
import { mcpToolkitRoutes } from './tools/mcp-toolkits.ts'
import { meetingRoutes } from './speech/meetings.ts'
import { neuronRoutes } from './agents/neurons.ts'
import { operatorRoutes } from './shared/operators.ts'
import { pathwayRoutes } from './pathways/routes.ts'
import { publicRoutes } from './access/public.ts'
import { receptorRoutes } from './agents/receptors.ts'
import { recollectionRoutes } from './agents/recollections.ts'
import { reflexRoutes } from './tools/reflexes.ts'
import { resourceRoutes } from './resources/routes.ts'
import { scimRoutes } from './access/scim.ts'
import { searchRoutes } from './search/routes.ts'
import { secretRoutes } from './tools/secrets.ts'
import { serviceRoutes } from './shared/service.ts'
import { sessionRoutes } from './access/session.ts'
import { skillRoutes } from './agents/skills.ts'
import { stakeholderRoutes } from './stakeholders/routes.ts'
import { toolRoutes } from './tools/routes.ts'
import { transcribeRoutes } from './speech/transcribe.ts'
import { triggerRoutes } from './triggers/routes.ts'
import { usageRoutes } from './access/usage.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import type { ApiServices, RouteDeps } from '../deps.ts'
import type { Route } from '../routing/route.ts'

/** API routes in the order of matching and documentation. */
const MODULES: ((services: ApiServices, deps: RouteDeps) => Route[])[] = [
  serviceRoutes,
  accessRoutes,
  brainRoutes,
  sessionRoutes,
  scimRoutes,
  operatorRoutes,
  publicRoutes,
  neuronRoutes,
  receptorRoutes,
  skillRoutes,
  conversationRoutes,
  fileRoutes,
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
  channelRoutes,
  channelAccountRoutes,
  notificationRuleRoutes,
  receiveRoutes,
  notificationRoutes,
  pushSubscriptionRoutes,
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
