import type { JobDetail } from '../../../../contract/runs/job.ts'
import type { NodeView } from '../../../../contract/runs/node.ts'

/** Presents a job with its nodes. Streamed text is left out, because the stream has it. */
export const presentDetail = (job: JobDetail): JobDetail => ({ ...job, nodes: job.nodes.map(omitTranscript) })

function omitTranscript(node: NodeView & { transcript?: string }): NodeView {
  const { transcript: _, ...fields } = node
  return fields
}
