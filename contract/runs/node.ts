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
    .meta({ description: 'Key of the inner node that failed first, if the error came from an inner node' }),
})

export const sentRequest = z
  .object({
    sha256: z.string().meta({
      description:
        'SHA-256 of the canonical JSON (RFC 8785) of `{method, url, headers, body}`. In this object, `headers` excludes secrets and `body` is the SHA-256 of the body.',
    }),
    method: z.string(),
    origin: z.string(),
    bytes: z.int().meta({ description: 'Size of the body in bytes' }),
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
    /** The latest child run started by the node. */
    child_job_id: z.string().optional(),
    origin_job_id: z.string().optional().meta({
      description: "Original run, if a fork reuses the node. The node's decisions belong to that run.",
    }),
    started_at: timestamp.optional(),
    finished_at: timestamp.optional(),
    attempt: z.int().optional().meta({ description: 'Number of the latest attempt. Starts at 1.' }),
    last_error: nodeError.optional().meta({ description: 'Why the latest attempt of a running node failed' }),
    next_attempt_at: timestamp
      .optional()
      .meta({ description: 'Start of the next attempt. Absent while an attempt is running.' }),
    port: z.string().optional(),
    input: jsonValue.optional().meta({
      description:
        'Input of the node. For a tool, these are the arguments, including those set by the neuron and by people. A long input is truncated and returned as text.',
    }),
    output: jsonValue
      .optional()
      .meta({ description: "Output of the node. A long output of an agent's tool is truncated and returned as text." }),
    labels: z
      .array(z.enum(LABELS))
      .optional()
      .meta({ description: 'Sources of untrusted content in the output. Absent if the output is trusted.' }),
    is_given: z.literal(true).optional().meta({ description: 'Present if a person supplied the output' }),
    sent: sentRequest.optional().meta({ description: 'Last request from the node to another service' }),
    error: nodeError.optional(),
    failed_attempts: z
      .array(z.object({ attempt: z.int(), at: timestamp, code: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'The first 100 failed attempts' }),
  })
  .meta({ id: 'Node' })

/** The latest milestone of one activation of a node, with the start and end of that activation. */
export type NodeView = z.output<typeof nodeView>
