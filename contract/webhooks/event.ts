import { z } from 'zod'
import { STREAM_ID } from '../../domain/shared/stream-id.ts'
import { TRIGGER_HEALTHS } from '../../domain/triggers/health.ts'
import { EVENT_FILTERS, EVENT_TYPES, type EventType } from '../../domain/webhooks/events.ts'
import { commaList } from '../shared/query.ts'
import { timestamp } from '../shared/time.ts'

/** An event type, or all event types for a subject. */
export const eventFilter = z.enum(EVENT_FILTERS).meta({ id: 'EventFilter' })

export const eventsQuery = z.object({
  after: z.string().optional().meta({
    pattern: STREAM_ID.source,
    description: 'Sends the events after this stream id, then new events. Default: only new events.',
    example: '1700000000000-0',
  }),
  types: commaList(eventFilter, { enum: EVENT_FILTERS })
    .optional()
    .meta({ description: 'Event types to send, such as `resource.*,job.completed`. Default: all.' }),
})

const typesOf = <S extends string>(subject: S) =>
  z.enum(EVENT_TYPES.filter((type): type is Extract<EventType, `${S}.${string}`> => type.startsWith(`${subject}.`)))

const id = z.uuid().meta({ description: 'Id of the event. Streams and deliveries use the same id.' })
const brain_id = z.uuid().nullable().meta({ description: 'Null for events that concern the whole workspace' })
const common = { id, at: timestamp }

const resourceEvent = z
  .object({
    ...common,
    type: typesOf('resource'),
    resource: z.object({
      id: z.uuid(),
      type: z.string().meta({ description: 'Kind, as in `GET /v1/resources/:catalog/:id`' }),
      slug: z.string(),
      version: z.int(),
      path: z.string(),
      brain_id,
    }),
  })
  .meta({ id: 'ResourceChange' })

const jobEvent = z
  .object({
    ...common,
    type: typesOf('job'),
    job: z.object({
      id: z.string(),
      kind: z.string(),
      status: z.string(),
      root_job_id: z.string(),
      parent_job_id: z.string().optional(),
      pathway_id: z.uuid().optional(),
      neuron_id: z.uuid().optional(),
      receptor_id: z.uuid().optional(),
      asset_id: z.uuid().optional(),
      trace_id: z.uuid().optional(),
      brain_id: z.uuid().optional(),
    }),
  })
  .meta({ id: 'JobChange' })

const interventionEvent = z
  .object({
    ...common,
    type: typesOf('intervention'),
    intervention: z.object({
      id: z.string(),
      job_id: z.string(),
      root_job_id: z.string(),
      kind: z.string().nullable(),
      status: z.string(),
      brain_id,
    }),
  })
  .meta({ id: 'InterventionChange' })

const webhookEvent = z
  .object({
    ...common,
    type: typesOf('webhook'),
    webhook: z.object({ id: z.uuid(), reason: z.string(), brain_id }),
  })
  .meta({ id: 'WebhookChange' })

const triggerEvent = z
  .object({
    ...common,
    type: typesOf('trigger'),
    trigger: z.object({
      id: z.uuid(),
      slug: z.string(),
      health: z.enum(TRIGGER_HEALTHS),
      reason: z.string().nullable(),
      brain_id,
    }),
  })
  .meta({ id: 'TriggerChange' })

/** The `data` of an event in the workspace stream. */
export const workspaceEvent = z
  .discriminatedUnion('type', [
    resourceEvent,
    jobEvent,
    interventionEvent,
    webhookEvent,
    triggerEvent,
    z
      .object({ type: z.literal('position') })
      .meta({ id: 'Position', description: 'Keep-alive without an event. Use the id to resume from here.' }),
    z.object({ type: z.literal('gap'), message: z.string() }).meta({ id: 'WorkspaceGap' }),
  ])
  .meta({ id: 'WorkspaceEvent' })
