import type { Ganglion, Schema } from '@ganglion/client'
import { JsonInput, Textarea } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Choice } from '../../shared/parts/choice.tsx'
import { Dialog } from '../../shared/parts/dialog.tsx'
import { bindField } from '../../shared/parts/form.tsx'
import { readJson } from '../../shared/parts/json.ts'
import { replaceUnderscores } from '../../shared/parts/names.ts'
import { Read } from '../../shared/parts/read.tsx'
import { useChange, useRead } from '../../shared/service/use-service.ts'
import type { RunNode } from '../times.ts'

/** A rerun as a new run: from a node, of the failed steps, or from a decision. */
export type ForkWish =
  | { kind: 'fork'; jobId: string; fromNode: string; correctable: RunNode[] }
  | { kind: 'retry'; jobId: string }
  | { kind: 'reopen'; interventionId: string }

const WORDS = {
  fork: { title: 'Rerun from this step', action: 'Start new run' },
  retry: { title: 'Retry failed steps', action: 'Start new run' },
  reopen: { title: 'Decide again', action: 'Decide again in a new run' },
}

type Outputs = Record<string, unknown>
type ForkPlan = Schema<'ForkPlan'>

/** Previews a fork, lets a person correct outputs, and starts it. The original run stays unchanged. */
export default function ForkDialog({ wish, onClose }: { wish: ForkWish; onClose: () => void }) {
  const [outputs, setOutputs] = useState<Outputs>({})
  const [text, setReason] = useState('')
  const reason = text.trim()
  const navigate = useNavigate()
  const plan = useRead(
    ['fork', wish, outputs],
    async ganglion => (await sendFork(ganglion, wish, { outputs, dry_run: true })) as ForkPlan,
    { placeholderData: keepPreviousData, staleTime: 0 },
  )
  const start = useChange(
    'jobs',
    ganglion => sendFork(ganglion, wish, { outputs, reason: reason || undefined }),
    ({ job_id }) => {
      onClose()
      void navigate({ to: '/runs/$jobId', params: { jobId: job_id } })
    },
  )
  const { title, action } = WORDS[wish.kind]
  const needsReason = wish.kind === 'reopen'
  return (
    <Dialog
      title={title}
      change={start}
      label={action}
      disabled={plan.isPending || plan.error !== null || (needsReason && reason === '')}
      onClose={onClose}
    >
      <Read query={plan}>
        {plan => (
          <>
            <Plan plan={plan} />
            {wish.kind === 'fork' && (
              <Corrections plan={plan} nodes={wish.correctable} outputs={outputs} onChange={setOutputs} />
            )}
          </>
        )}
      </Read>
      <Textarea label="Reason" required={needsReason} maxLength={2_000} {...bindField(text, setReason)} />
    </Dialog>
  )
}

interface ForkFields {
  outputs: Outputs
  reason?: string
  dry_run?: boolean
}

async function sendFork({ interventions, jobs }: Ganglion, wish: ForkWish, { outputs, ...fields }: ForkFields) {
  // The service requires a reason for a decision, even for a dry run.
  if (wish.kind === 'reopen') return interventions.reopen(wish.interventionId, { reason: 'dry run', ...fields })
  if (wish.kind === 'retry') return jobs.retry(wish.jobId, fields)
  return jobs.fork(wish.jobId, { from_node: wish.fromNode, outputs, ...fields })
}

const Plan = ({ plan: { counts, reused, asked_again, runs, repeated_effects } }: { plan: ForkPlan }) => (
  <section className="fields" aria-label="Preview">
    {counts.repeated_effects > 0 && (
      <Nodes title="Repeated side effects" count={counts.repeated_effects} isWarning>
        {repeated_effects.map(({ key, node_type, status }) => [key, `${node_type}, was ${status}`])}
      </Nodes>
    )}
    {counts.asked_again > 0 && (
      <Nodes title="Decisions required again" count={counts.asked_again} isWarning>
        {asked_again.map(({ key, changed: fields }) => [key, `${fields.join(', ')} changed`])}
      </Nodes>
    )}
    <Nodes title="Steps to run" count={counts.runs}>
      {runs.map(({ key, node_type, reason }) => [key, `${node_type}, ${replaceUnderscores(reason)}`])}
    </Nodes>
    <Nodes title="Reused results" count={counts.reused}>
      {reused.map(({ key, node_type, is_replaced }) => [key, `${node_type}${is_replaced ? ', corrected' : ''}`])}
    </Nodes>
  </section>
)

interface NodesProps {
  title: string
  count: number
  isWarning?: boolean
  children: [key: string, note: string][]
}

/** Longer lists are collapsed. */
const OPEN_UP_TO = 8

const Nodes = ({ title, count, isWarning = false, children }: NodesProps) => (
  <details open={count <= OPEN_UP_TO} className={isWarning ? 'refusal' : 'shown'}>
    <summary>
      <strong>
        {title} ({count})
      </strong>
    </summary>
    <ul className="plain-list">
      {children.map(([key, note]) => (
        <li key={key}>
          <code>{key}</code> {note}
        </li>
      ))}
    </ul>
  </details>
)

interface CorrectionsProps {
  plan: ForkPlan
  nodes: RunNode[]
  outputs: Outputs
  onChange: (outputs: Outputs) => void
}

/** Lets a person correct the outputs of reused nodes, except for people's decisions. */
function Corrections({ plan: { reused }, nodes, outputs, onChange }: CorrectionsProps) {
  const [key, setKey] = useState('')
  const [text, setText] = useState('')
  const recorded = new Map(nodes.map(node => [node.key, node.output]))
  const keys = reused.filter(({ key, node_type }) => node_type !== 'human' && recorded.has(key)).map(({ key }) => key)
  if (keys.length === 0) return null
  const choose = (key = '') => {
    setKey(key)
    setText(JSON.stringify(outputs[key] ?? recorded.get(key) ?? null, null, 2))
  }
  const change = (text: string) => {
    setText(text)
    const { value, problem } = readJson(text)
    if (problem === undefined) onChange({ ...outputs, [key]: value })
  }
  return (
    <>
      <Choice label="Correct the output of" none="None" value={key} options={keys} onChange={choose} />
      {key !== '' && (
        <JsonInput label={`Output of ${key}`} value={text} onChange={change} error={readJson(text).problem} />
      )}
    </>
  )
}
