import type { Permission } from '../access/permissions.ts'

/** Types of workspace events. */
export const EVENT_TYPES = [
  'resource.created',
  'resource.updated',
  'resource.moved',
  'resource.deleted',
  'resource.restored',
  'resource.indexed',
  'job.started',
  'job.waiting',
  'job.paused',
  'job.resumed',
  'job.completed',
  'job.failed',
  'job.cancelled',
  'intervention.requested',
  'intervention.voted',
  'intervention.answered',
  'intervention.reminded',
  'intervention.timed_out',
  'intervention.cancelled',
  'intervention.claimed',
  'intervention.released',
  'intervention.reassigned',
  'intervention.delegated',
  'intervention.escalated',
  'intervention.excluded',
  'intervention.commented',
  'webhook.disabled',
  'trigger.health_changed',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** Permissions required to see the events of a subject. */
const PERMISSIONS = {
  resource: 'resources:read',
  job: 'jobs:read',
  intervention: 'interventions:read',
  webhook: 'webhooks:manage',
  trigger: 'resources:read',
} as const satisfies Record<string, Permission>

/** Returns the permission required to see events of the type. */
export const findEventPermission = (type: EventType): Permission =>
  PERMISSIONS[type.slice(0, type.indexOf('.')) as keyof typeof PERMISSIONS]

/** Event type filters: a type, or all types of a subject such as `job.*`. */
export const EVENT_FILTERS = [
  ...EVENT_TYPES,
  'resource.*',
  'job.*',
  'intervention.*',
  'webhook.*',
  'trigger.*',
] as const

export type EventFilter = (typeof EVENT_FILTERS)[number]

/** A workspace event. The other fields identify the subject of the event and depend on the event type. */
export interface WorkspaceEvent {
  /** A UUID. The id is the same in the stream and in all deliveries. */
  id: string
  type: EventType
  /** ISO 8601. */
  at: string
  resource?: { id: string; type: string; slug: string; version: number; path: string; brain_id: string | null }
  job?: { id: string; kind: string; status: string; root_job_id: string; brain_id?: string; [id: string]: unknown }
  intervention?: {
    id: string
    job_id: string
    root_job_id: string
    kind: string | null
    status: string
    brain_id: string | null
  }
  webhook?: { id: string; reason: string; brain_id: string | null }
  trigger?: { id: string; slug: string; health: string; reason: string | null; brain_id: string | null }
}

/** Returns whether the type passes the filters. Without filters, every type does. */
export const passesFilters = (type: string, filters: readonly string[] | undefined): boolean =>
  filters === undefined || filters.includes(type) || filters.includes(`${type.slice(0, type.indexOf('.'))}.*`)

/** Returns the brain to which an event belongs. Null for the workspace itself. */
export const findEventBrain = ({ resource, job, intervention, webhook, trigger }: WorkspaceEvent): string | null =>
  (resource ?? job ?? intervention ?? webhook ?? trigger)?.brain_id ?? null
