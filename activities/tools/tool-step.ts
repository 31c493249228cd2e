import { Context } from '@temporalio/activity'
import { z } from 'zod'
import { truncateValue } from '../../domain/people/shown-value.ts'
import type { Step } from '../runs/step.ts'
import { readStep } from '../shared/read-step.ts'
import type { ToolExecutor } from './types.ts'

/** A `tool` node's `with`. The tool was pinned to a version when the run started. */
const toolStep = z.object({
  reflex: z.string().regex(/^[0-9a-f-]{36}@[1-9]\d*$/, 'must be pinned to a version'),
  name: z.string(),
  args: z.record(z.string(), z.json()),
  requester: z.string(),
})

/**
 * Runs the `tool` node: one tool call, whose output becomes the node's output. Throws the same errors as
 * `ToolExecutor.call`.
 */
export function createToolActivity({ toolExecutor }: { toolExecutor: ToolExecutor }): Step {
  return async ({ job, node, with: rawStep }, showInput) => {
    const { reflex, name, args, requester } = readStep(toolStep, rawStep)
    showInput?.(truncateValue(args))
    const [reflex_id = '', version] = reflex.split('@')
    const tool = { reflex_id, version: Number(version), name }
    const idempotency_key = `${job.job_id}:${node.key}`
    const { cancellationSignal: signal } = Context.current()
    const { output } = await toolExecutor.call({ job, tool, args, idempotency_key, requester }, { signal })
    return { output }
  }
}
