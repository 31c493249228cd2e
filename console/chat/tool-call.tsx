import { IconTool } from '@tabler/icons-react'
import { Status } from '../parts/status.tsx'
import { Json, Value } from '../parts/value.tsx'
import type { Message } from './queries.ts'

interface ToolCallProps {
  name: string
  args: unknown
  result: Message | undefined
}

/** A call of a tool, folded: what it was called with, and what it gave. */
export const ToolCall = ({ name, args, result }: ToolCallProps) => (
  <details className="tool-call">
    <summary>
      <IconTool size={16} stroke={1.7} aria-hidden /> {name}
      <Status status={result ? (result.is_error ? 'failed' : 'completed') : 'running'} />
    </summary>
    <div className="tool-call-body">
      <Value value={args} />
      {result && <Json value={result.output} />}
    </div>
  </details>
)
