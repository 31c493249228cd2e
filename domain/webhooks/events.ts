import type { Permission } from '../access/permissions.ts'

/** The types of events of a workspace. */
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

/** What a caller needs to see the events of a subject. */
const PERMISSIONS = {
  resource: 'resources:read',
  job: 'jobs:read',
  intervention: 'interventions:read',
  webhook: 'webhooks:manage',
  trigger: 'resources:read',
} as const satisfies Record<string, Permission>

/** Returns the permission that a caller needs to see events of the type. */
export const findEventPermission = (type: EventType): Permission =>
  PERMISSIONS[type.slice(0, type.indexOf('.')) as keyof typeof PERMISSIONS]

/** Filters of event types: a type, or all types of a subject such as `job.*`. */
export const EVENT_FILTERS = [
  ...EVENT_TYPES,
  'resource.*',
  'job.*',
  'intervention.*',
  'webhook.*',
  'trigger.*',
] as const

export type EventFilter = (typeof EVENT_FILTERS)[number]

/** An event of a workspace. Its other fields name what it is about, and depend on the type. */
export interface WorkspaceEvent {
  /** A UUID. The same in the stream and in all deliveries. */
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

/** Whether an event of the type passes the filters; without filters every one does. */
export const passesFilters = (type: string, filters: readonly string[] | undefined): boolean =>
  filters === undefined || filters.includes(type) || filters.includes(`${type.slice(0, type.indexOf('.'))}.*`)

/** Returns the brain that the event belongs to; null for the workspace. */
export const findEventBrain = ({ resource, job, intervention, webhook, trigger }: WorkspaceEvent): string | null =>
  (resource ?? job ?? intervention ?? webhook ?? trigger)?.brain_id ?? null
