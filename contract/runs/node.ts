import { z } from 'zod'
import { LABELS } from '../../domain/pathways/labels/labels.ts'
import { NODE_STATUSES, type SentRequest } from '../../domain/runs/nodes.ts'
import { jsonValue } from '../shared/json.ts'
import { timestamp } from '../shared/time.ts'

export const nodeStatus = z.enum(NODE_STATUSES)

export const nodeError = z.object({
  code: z.string(),
  message: z.string(),
  node_key: z
    .string()
    .optional()
    .meta({ description: 'Key of the inner node that failed first, if the error came from one' }),
})

export const sentRequest = z
  .object({
    sha256: z.string().meta({
      description:
        'SHA-256 of the canonical JSON (RFC 8785) of `{method, url, headers, body}`. `headers` has no secrets; `body` is the SHA-256 of the body',
    }),
    method: z.string(),
    origin: z.string(),
    bytes: z.int().meta({ description: 'Size of the body' }),
    at: timestamp,
  })
  .meta({ id: 'SentRequest' }) satisfies z.ZodType<SentRequest>

export const nodeView = z
  .object({
    key: z.string(),
    node_id: z.string(),
    node_type: z.string(),
    title: z.string().optional(),
    status: nodeStatus,
    at: timestamp,
    /** The latest child run that the node started. */
    child_job_id: z.string().optional(),
    origin_job_id: z
      .string()
      .optional()
      .meta({ description: 'The run that had the node, where a fork has taken it over. Its decisions are there' }),
    started_at: timestamp.optional(),
    finished_at: timestamp.optional(),
    attempt: z.int().optional().meta({ description: 'Number of the last attempt, from 1' }),
    last_error: nodeError.optional().meta({ description: 'Why the last attempt of a running node failed' }),
    next_attempt_at: timestamp.optional().meta({ description: 'When the next attempt begins; absent while one runs' }),
    port: z.string().optional(),
    input: jsonValue.optional().meta({
      description:
        'What the node was called with; of a tool its arguments, with what the neuron and people set. Of long ones the beginning, as text',
    }),
    output: jsonValue.optional().meta({ description: 'Of a long output of an agent’s tool the beginning, as text' }),
    labels: z
      .array(z.enum(LABELS))
      .optional()
      .meta({ description: 'Sources of untrusted content in the output; absent for a trusted output' }),
    is_given: z.literal(true).optional().meta({ description: 'Present when a person gave the output' }),
    sent: sentRequest.optional().meta({ description: 'The last request that the node sent to another service' }),
    error: nodeError.optional(),
    failed_attempts: z
      .array(z.object({ attempt: z.int(), at: timestamp, code: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'Attempts that failed, up to the hundredth' }),
  })
  .meta({ id: 'Node' })

/** The latest milestone of one activation of a node, with the start and end of the activation. */
export type NodeView = z.output<typeof nodeView>
