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
      'Names of what differs: `input.amount`, `nodes.quote`, or `definition` for the nodes behind the decision',
  }),
})

export const repeatedEffect = z.object({
  ...plannedNode,
  status: nodeStatus,
  decided_at: z.array(z.string()).meta({
    description: 'Keys of the decisions that hold in the fork and that the effect comes after',
  }),
})

export const forkView = z
  .object({
    job_id: z.string().meta({ description: 'The other run' }),
    kind: z.enum(['fork', 'retry', 'reopen']),
    from_node: z.string().optional(),
    by: z.string(),
    reason: z.string().optional(),
    changes: z.object({ input: z.boolean(), pathway_version: z.boolean(), outputs: z.array(z.string()) }),
    decisions: z.object({
      asked_again: z.array(askedAgain).meta({ description: 'Decisions that the fork asks for again' }),
      kept: z.array(z.string()).meta({ description: 'Keys of the nodes whose decision holds in the fork' }),
      repeated: z.array(repeatedEffect).meta({
        description: 'Effects that `by` repeats after a decision that holds, without another decision',
      }),
    }),
    created_at: timestamp,
  })
  .meta({ id: 'Fork' })

/** A fork, named by the run that it goes on from, or the other way round. */
export type ForkView = z.output<typeof forkView>

const forkChanges = {
  input: jsonValue.optional().meta({ description: 'The input of the fork, instead of that of the run' }),
  outputs: z
    .record(z.string(), jsonValue)
    .optional()
    .meta({ description: 'Outputs by node key, instead of those of nodes that the fork takes over' }),
  pathway_version: z.int().min(1).optional().meta({ description: 'By default the version of the run' }),
  dry_run: z.boolean().optional().meta({ description: 'true: lists what the fork would do, and starts nothing' }),
  reason: z.string().max(2_000).optional(),
}

export const forkBody = z.strictObject({
  from_node: line(1_000).meta({
    description:
      'Key of the node from which the fork goes on; that of an iteration is each[3]/fetch, that of a step of an agent step-2',
    example: 'review',
  }),
  ...forkChanges,
})

export type ForkBody = z.output<typeof forkBody>

export const retryBody = z.strictObject(forkChanges)

const counted = (description: string) => z.int().meta({ description })

export const forkPlan = z
  .object({
    /** The run that would be forked. */
    job_id: z.string(),
    dry_run: z.literal(true),
    counts: z.object({
      reused: counted('Nodes that are taken over'),
      asked_again: counted('Nodes in which people decide again'),
      runs: counted('Nodes that run'),
      repeated_effects: counted('Effects that happen a second time'),
    }),
    reused: z.array(z.object({ ...plannedNode, is_replaced: z.boolean() })),
    asked_again: z.array(askedAgain).meta({
      description: 'Decisions that do not hold in the fork, because what people decided about is different in it',
    }),
    runs: z
      .array(
        z.object({
          ...plannedNode,
          reason: z.enum(['fork_point', 'asked_again', 'not_completed', 'compensated', 'after']),
        }),
      )
      .meta({ description: 'Nodes that run: first those that start at once, then those that may follow' }),
    repeated_effects: z
      .array(repeatedEffect)
      .meta({ description: 'What the run had begun and the fork does again, with keys of its own' }),
  })
  .meta({ id: 'ForkPlan', description: 'Lists have at most 1,000 entries' })

/** What a fork would do. Lists have at most 1,000 entries. */
export type ForkPlanView = z.output<typeof forkPlan>

export const forkStarted = z
  .object({
    job_id: z.string(),
    status: z.literal('pending'),
    forked_from: z.object({ job_id: z.string(), from_node: z.string().optional() }),
  })
  .meta({ id: 'ForkStarted' })
export type ForkStarted = z.output<typeof forkStarted>
