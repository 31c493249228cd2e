import { z } from 'zod'
import { EVENT_FILTERS, passesFilters, type WorkspaceEvent } from '../../webhooks/events.ts'
import type { JsonObject, Problem } from '../../shared/json/json.ts'
import { folderProblem, isWithin } from '../../resources/paths.ts'
import { defineTriggerType } from '../type.ts'

const MAX_DEBOUNCE_SECONDS = 3_600

const debounce = z.strictObject({
  /** How long nothing more may happen before it fires. A steady flow postpones it to ten times this at most. */
  seconds: z.int().min(1).max(MAX_DEBOUNCE_SECONDS),
  /** What is counted together: the events of one resource, run or intervention, of one folder, of one type, or all. */
  by: z.enum(['subject', 'path', 'type', 'trigger']).default('subject'),
})

const settings = z.strictObject({
  types: z.array(z.enum(EVENT_FILTERS)).min(1).max(20),
  /** A folder: of changes of resources, only those in it and below. */
  path: z.string().max(1_000).optional(),
  /** Kinds of resources: only their changes. */
  resource_types: z.array(z.string().min(1).max(100)).min(1).max(20).optional(),
  debounce: debounce.optional(),
})

export type EventSettings = z.output<typeof settings>

/** Fires when something happens in the workspace. */
export const event = defineTriggerType({
  settings,
  isRequired: true,
  problems: ({ types, path, resource_types }) => [
    ...pathProblems(path),
    ...(path === undefined && resource_types === undefined ? [] : onlyResources(types)),
  ],
  event: {
    event_id: 'The id of the event, as in the event stream',
    event_type: 'Its type, such as resource.updated',
    resource: 'What a `resource.*` event is about: id, type, slug, version, path, brain_id',
    job: 'What a `job.*` event is about: id, kind, status, pathway_id and others',
    intervention: 'What an `intervention.*` event is about: id, job_id, kind, status',
    merged: 'Number of events that were counted together; `event` has the latest',
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
      : [{ pointer: `/types/${i}`, message: 'must be of resources, because path and resource_types are' }],
  )

/** Whether an event of a workspace is one for which the settings ask. */
export function matchesEvent({ types, path, resource_types }: EventSettings, event: WorkspaceEvent): boolean {
  if (!passesFilters(event.type, types)) return false
  const { resource } = event
  if (path !== undefined && !(resource && isWithin(resource.path, path))) return false
  return resource_types === undefined || (resource !== undefined && resource_types.includes(resource.type))
}

/** Returns what events that are counted together have in common. Undefined where each one fires. */
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

/** The fields of a trigger's event. */
export function toTriggerEvent({ id, type, at: _at, ...subject }: WorkspaceEvent): JsonObject {
  return { event_id: id, event_type: type, ...(subject as JsonObject) }
}
