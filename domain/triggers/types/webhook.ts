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
        'CEL over `event.body`, such as `event.body.claim_id`. Requests with the same value start one run. Without a value, the delivery id or the signed content is compared.',
    }),
    /** `async`: the sender immediately receives the job id. `sync`: the sender waits for the result. */
    respond: z.enum(['async', 'sync']).default('async'),
    /** Number of seconds that a sender waits for the result before it receives only the job id. */
    wait_seconds: z.int().min(1).max(MAX_WAIT_SECONDS).default(20),
    requests_per_minute: z.int().min(1).max(6_000).default(600),
  })
  .meta({
    description: 'Accepts requests at a URL. `POST /v1/triggers/{id}/rotate-token` creates the token in the URL',
  })

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
    body: 'The body: a parsed JSON value, an object for a form, otherwise a string. Null without a body',
    format: 'The encoding of `body`: json, form, text or base64',
    headers: 'The headers by lower-case name, excluding authentication headers',
    query: 'The query parameters',
    delivery_id: 'The delivery id. Absent if the sender provides none',
  },
  defaultInput: '${event.body}',
})
