import type { Schema } from '@ganglion/client'
import { JsonInput, Modal, NativeSelect, Textarea } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { DialogActions } from '../parts/dialog-actions.tsx'
import { Failure } from '../parts/failure.tsx'
import { readJson } from '../parts/json.ts'
import { Loading } from '../parts/loading.tsx'
import { toSpaced } from '../parts/names.ts'
import { useSignedIn } from '../service/signed-in.tsx'
import { useChange } from '../service/use-change.ts'
import type { RunNode } from './times.ts'

/** What goes on in a new run: from a node, with what failed, or with a decision that is made again. */
export type ForkWish =
  | { kind: 'fork'; jobId: string; fromNode: string; correctable: RunNode[] }
  | { kind: 'retry'; jobId: string }
  | { kind: 'reopen'; interventionId: string }

const WORDS = {
  fork: { title: 'Go on from here', action: 'Go on in a new run' },
  retry: { title: 'Go on with what failed', action: 'Go on in a new run' },
  reopen: { title: 'Decide again', action: 'Decide again in a new run' },
}

type Outputs = Record<string, unknown>

/** Shows what a fork would do, lets a person correct outputs, and starts it. The run itself stays as it is. */
export default function ForkDialog({ wish, onClose }: { wish: ForkWish; onClose: () => void }) {
  const [outputs, setOutputs] = useState<Outputs>({})
  const [reason, setReason] = useState('')
  const navigate = useNavigate()
  const send = useSend(wish)
  const plan = useQuery({
    queryKey: ['fork', wish, outputs],
    queryFn: () => send({ outputs, reason: '', dry_run: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const start = useChange(
    'jobs',
    () => send({ outputs, reason: reason.trim() }),
    ({ job_id }) => {
      onClose()
      void navigate({ to: '/runs/$jobId', params: { jobId: job_id } })
    },
  )
  const { title, action } = WORDS[wish.kind]
  const isReasonMissing = wish.kind === 'reopen' && reason.trim() === ''
  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      <div className="fields">
        {plan.isPending && <Loading />}
        {plan.error && <Failure error={plan.error} />}
        {plan.data && 'dry_run' in plan.data && <Plan plan={plan.data} />}
        {wish.kind === 'fork' && plan.data && 'dry_run' in plan.data && (
          <Corrections plan={plan.data} nodes={wish.correctable} outputs={outputs} onChange={setOutputs} />
        )}
        <Textarea
          label="Reason"
          required={wish.kind === 'reopen'}
          autosize
          minRows={1}
          maxLength={2_000}
          value={reason}
          onChange={event => setReason(event.currentTarget.value)}
        />
        <DialogActions
          action={start}
          disabled={plan.isPending || plan.error !== null || isReasonMissing}
          onClose={onClose}
        >
          {action}
        </DialogActions>
      </div>
    </Modal>
  )
}

interface ForkFields {
  outputs: Outputs
  reason: string
  dry_run?: boolean
}

function useSend(wish: ForkWish) {
  const { ganglion } = useSignedIn()
  return ({ outputs, reason, dry_run }: ForkFields) => {
    const told = reason === '' ? { dry_run } : { reason, dry_run }
    if (wish.kind === 'reopen')
      // The service takes none without a reason, also to look at what would happen.
      return ganglion.interventions.reopen(wish.interventionId, { reason: reason || 'dry run', dry_run })
    if (wish.kind === 'retry') return ganglion.jobs.retry(wish.jobId, told)
    return ganglion.jobs.fork(wish.jobId, { from_node: wish.fromNode, outputs, ...told })
  }
}

type ForkPlan = Schema<'ForkPlan'>

const Plan = ({ plan: { counts, reused, runs, repeated_effects } }: { plan: ForkPlan }) => (
  <section className="fields" aria-label="What happens">
    {counts.repeated_effects > 0 && (
      <Nodes title="Effects that happen a second time" count={counts.repeated_effects} isWarning>
        {repeated_effects.map(({ key, node_type, status }) => [key, `${node_type}, was ${status}`])}
      </Nodes>
    )}
    <Nodes title="What runs" count={counts.runs}>
      {runs.map(({ key, node_type, reason }) => [key, `${node_type}, ${toSpaced(reason)}`])}
    </Nodes>
    <Nodes title="What is taken over" count={counts.reused}>
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

/** Longer lists are folded. */
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

/** Outputs of nodes that are taken over, to be corrected. Decisions of people cannot be. */
function Corrections({ plan: { reused }, nodes, outputs, onChange }: CorrectionsProps) {
  const [key, setKey] = useState('')
  const [text, setText] = useState('')
  const keys = reused.flatMap(({ key, node_type }) =>
    node_type !== 'human' && nodes.some(node => node.key === key) ? [key] : [],
  )
  if (keys.length === 0) return null
  const choose = (key: string) => {
    const recorded = nodes.find(node => node.key === key)?.output
    setKey(key)
    setText(key === '' ? '' : JSON.stringify(outputs[key] ?? recorded ?? null, null, 2))
  }
  const change = (text: string) => {
    setText(text)
    const { value, problem } = readJson(text)
    if (problem === undefined) onChange({ ...outputs, [key]: value })
  }
  return (
    <>
      <NativeSelect
        label="Correct the output of"
        value={key}
        onChange={event => choose(event.currentTarget.value)}
        data={[{ value: '', label: 'None' }, ...keys]}
      />
      {key !== '' && (
        <JsonInput
          label={`Output of ${key}`}
          autosize
          minRows={3}
          maxRows={14}
          value={text}
          onChange={change}
          error={readJson(text).problem}
        />
      )}
    </>
  )
}
