import { z } from 'zod'
import { nodeStatus } from './node.ts'
import { jsonValue } from '../shared/json.ts'
import { line } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'

export const plannedNode = { key: z.string(), node_id: z.string(), node_type: z.string() }

export const askedAgain = z.object({
  ...plannedNode,
  changed: z.array(z.string()).meta({
    description:
      'Changed values that affect the decision: `input.amount`, `nodes.quote`, or `definition` for the nodes after the decision',
  }),
})

export const repeatedEffect = z.object({
  ...plannedNode,
  status: nodeStatus,
  decided_at: z.array(z.string()).meta({
    description: 'Keys of the kept decisions that come before the effect',
  }),
})

export const forkView = z
  .object({
    job_id: z.string().meta({ description: 'The related run: the fork, or the run it was forked from' }),
    kind: z.enum(['fork', 'retry', 'reopen']),
    from_node: z.string().optional(),
    by: z.string(),
    reason: z.string().optional(),
    changes: z.object({ input: z.boolean(), pathway_version: z.boolean(), outputs: z.array(z.string()) }),
    decisions: z.object({
      asked_again: z.array(askedAgain).meta({ description: 'Decisions that people must make again in the fork' }),
      kept: z.array(z.string()).meta({ description: 'Keys of the nodes with decisions that the fork keeps' }),
      repeated: z.array(repeatedEffect).meta({
        description: 'Effects after a kept decision that the person in `by` repeats without a new decision',
      }),
    }),
    created_at: timestamp,
  })
  .meta({ id: 'Fork' })

/** A fork, as seen from the original run or from the new run. */
export type ForkView = z.output<typeof forkView>

const forkChanges = {
  input: jsonValue.optional().meta({ description: 'Input of the fork. Default: the input of the original run.' }),
  outputs: z
    .record(z.string(), jsonValue)
    .optional()
    .meta({ description: 'Outputs by node key. They replace the outputs of reused nodes.' }),
  pathway_version: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'Pathway version for the fork. Default: the version of the original run' }),
  dry_run: z.boolean().optional().meta({ description: 'true: previews the fork without starting it' }),
  reason: z.string().max(2_000).optional(),
}

export const forkBody = z.strictObject({
  from_node: line(1_000).meta({
    description:
      'Key of the node where the fork starts. Example of a key in an iteration: each[3]/fetch. Example of an agent step: step-2.',
    example: 'review',
  }),
  ...forkChanges,
})

export type ForkBody = z.output<typeof forkBody>

export const retryBody = z.strictObject(forkChanges)

const counted = (description: string) => z.int().meta({ description })

export const forkPlan = z
  .object({
    /** The original run. */
    job_id: z.string(),
    dry_run: z.literal(true),
    counts: z.object({
      reused: counted('Number of nodes with reused results'),
      asked_again: counted('Number of nodes where people must decide again'),
      runs: counted('Number of nodes that run'),
      repeated_effects: counted('Number of effects that happen a second time'),
    }),
    reused: z.array(z.object({ ...plannedNode, is_replaced: z.boolean() })),
    asked_again: z.array(askedAgain).meta({
      description: "Decisions that the fork doesn't keep, because the data they were based on has changed",
    }),
    runs: z
      .array(
        z.object({
          ...plannedNode,
          reason: z.enum(['fork_point', 'asked_again', 'not_completed', 'compensated', 'after']),
        }),
      )
      .meta({ description: 'Nodes that run: first those that start immediately, then those that may run after them' }),
    repeated_effects: z.array(repeatedEffect).meta({
      description: 'Effects that the original run started and the fork performs again, with new idempotency keys',
    }),
  })
  .meta({ id: 'ForkPlan', description: 'Lists have at most 1,000 entries' })

/** A preview of a fork. Lists have at most 1,000 entries. */
export type ForkPlanView = z.output<typeof forkPlan>

export const forkStarted = z
  .object({
    job_id: z.string(),
    status: z.literal('pending'),
    forked_from: z.object({ job_id: z.string(), from_node: z.string().optional() }),
  })
  .meta({ id: 'ForkStarted' })
export type ForkStarted = z.output<typeof forkStarted>
