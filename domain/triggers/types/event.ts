import { z } from 'zod'
import { EVENT_FILTERS, passesFilters, type WorkspaceEvent } from '../../webhooks/events.ts'
import type { JsonObject, Problem } from '../../shared/json/json.ts'
import { folderProblem, isWithin } from '../../resources/paths.ts'
import { defineTriggerType } from '../type.ts'

const MAX_DEBOUNCE_SECONDS = 3_600

const debounce = z.strictObject({
  /**
   * Quiet period before the trigger fires. A steady flow of events delays the trigger by at most ten times this
   * period.
   */
  seconds: z.int().min(1).max(MAX_DEBOUNCE_SECONDS),
  /** Grouping of events: by resource, run or task (`subject`), by folder, by type, or all together. */
  by: z.enum(['subject', 'path', 'type', 'trigger']).default('subject'),
})

const settings = z.strictObject({
  types: z.array(z.enum(EVENT_FILTERS)).min(1).max(20),
  /** A folder. Only changes to resources in this folder and its subfolders count. */
  path: z.string().max(1_000).optional(),
  /** Resource kinds. Only changes to resources of these kinds count. */
  resource_types: z.array(z.string().min(1).max(100)).min(1).max(20).optional(),
  debounce: debounce.optional(),
})

export type EventSettings = z.output<typeof settings>

/** Fires when an event occurs in the workspace. */
export const event = defineTriggerType({
  settings,
  isRequired: true,
  problems: ({ types, path, resource_types }) => [
    ...pathProblems(path),
    ...(path === undefined && resource_types === undefined ? [] : onlyResources(types)),
  ],
  event: {
    event_id: 'The event id, as in the event stream',
    event_type: 'The event type, such as resource.updated',
    resource: 'The resource of a `resource.*` event: id, type, slug, version, path, brain_id',
    job: 'The job of a `job.*` event: id, kind, status, pathway_id and others',
    intervention: 'The task of an `intervention.*` event: id, job_id, kind, status',
    merged: 'Number of merged events; `event` is the latest one',
  },
  defaultInput: {},
})

function pathProblems(path: string | undefined): Problem[] {
  const message = path === undefined ? undefined : folderProblem(path)
  return message === undefined ? [] : [{ pointer: '/path', message }]
}

const onlyResources = (types: string[]): Problem[] =>
  types.flatMap((type, i) =>
    type.startsWith('resource.')
      ? []
      : [{ pointer: `/types/${i}`, message: 'must only contain resource events if path or resource_types is set' }],
  )

/** Returns whether the settings select the event. */
export function matchesEvent({ types, path, resource_types }: EventSettings, event: WorkspaceEvent): boolean {
  if (!passesFilters(event.type, types)) return false
  const { resource } = event
  if (path !== undefined && !(resource && isWithin(resource.path, path))) return false
  return resource_types === undefined || (resource !== undefined && resource_types.includes(resource.type))
}

/** Returns the key shared by events that fire together. Undefined if each event fires on its own. */
export function findDebounceKey({ debounce }: EventSettings, event: WorkspaceEvent): string | undefined {
  return debounce && DEBOUNCE_KEYS[debounce.by](event)
}

const DEBOUNCE_KEYS: Record<z.output<typeof debounce>['by'], (event: WorkspaceEvent) => string> = {
  subject: ({ type, resource, job, intervention, webhook, trigger }) =>
    (resource ?? job ?? intervention ?? webhook ?? trigger)?.id ?? type,
  path: ({ type, resource }) => resource?.path ?? type,
  type: ({ type }) => type,
  trigger: () => '',
}

/** Returns the fields of a trigger's event. */
export function toTriggerEvent({ id, type, at: _at, ...subject }: WorkspaceEvent): JsonObject {
  return { event_id: id, event_type: type, ...(subject as JsonObject) }
}
