import { z } from 'zod'
import { signatureSettings } from '../hooks/signature.ts'
import { findExpressionProblem } from '../mapping.ts'
import { defineTriggerType } from '../type.ts'

const MAX_WAIT_SECONDS = 25

const settings = z
  .strictObject({
    signature: signatureSettings,
    dedupe_by: z.string().min(1).max(1_000).optional().meta({
      description:
        'CEL over `event.body`, such as `event.body.claim_id`: requests with the same value start one run. Without a value, the id of the delivery or the signed content counts.',
    }),
    /** `async`: the sender is told the job at once. `sync`: it waits for the result. */
    respond: z.enum(['async', 'sync']).default('async'),
    /** How long a sender waits, before it is told the job only. */
    wait_seconds: z.int().min(1).max(MAX_WAIT_SECONDS).default(20),
    requests_per_minute: z.int().min(1).max(6_000).default(600),
  })
  .meta({ description: 'Takes requests at a URL, whose token `POST /v1/triggers/{id}/rotate-token` makes' })

export type WebhookSettings = z.output<typeof settings>

/** Fires when a request arrives at its URL. */
export const webhook = defineTriggerType({
  settings,
  isRequired: true,
  problems({ dedupe_by }) {
    const message = dedupe_by === undefined ? undefined : findExpressionProblem(dedupe_by)
    return message === undefined ? [] : [{ pointer: '/dedupe_by', message }]
  },
  event: {
    body: 'The body: the value of JSON, an object for a form, else a string; null without one',
    format: 'How `body` shows it: json, form, text or base64',
    headers: 'The headers by their names in lower case, without those that authenticate',
    query: 'The query parameters',
    delivery_id: 'The id of the delivery; absent where the sender gives none',
  },
  defaultInput: '${event.body}',
})
