import type { Job } from '@ganglion/client'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Bulk, type PreviewProps, Dialog } from '../shared/parts/dialog.tsx'
import { getRunStatus, Status } from '../shared/parts/inline.tsx'
import { showLater } from '../shared/parts/loading.tsx'
import { formatCount } from '../shared/parts/names.ts'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useChange } from '../shared/service/use-service.ts'
import type { BulkOperation } from './bulk-dialog.tsx'
import { useRunCounts } from './queries.ts'
import { countStatus, listStatuses, type RunsSearch, STATUSES } from './search.ts'

const BulkDialog = showLater(() => import('./bulk-dialog.tsx'))

type BulkRun = Pick<Job, 'job_id' | 'title' | 'status' | 'outcome' | 'kind' | 'parent_job_id' | 'purged_at'>

const LABELS: Record<BulkOperation, string> = {
  cancel: 'Cancel',
  pause: 'Pause',
  resume: 'Resume',
  retry: 'Retry',
  migrate: 'Migrate',
}

/** Actions on the selected runs. */
const ACTIONS = ['cancel', 'pause', 'resume', 'retry'] as const
type Action = (typeof ACTIONS)[number]

/** Run statuses to which each operation applies. */
const STATUSES_OF: Record<BulkOperation, (typeof STATUSES)[number][]> = {
  cancel: ['pending', 'running', 'waiting', 'paused'],
  pause: ['pending', 'running', 'waiting'],
  resume: ['paused'],
  retry: ['failed', 'cancelled'],
  migrate: ['running', 'waiting', 'paused'],
}

/**
 * Returns whether an action applies to a run. Only pathway and agent runs can pause, and a child run is retried by
 * its parent.
 */
function applies(action: Action, run: BulkRun): boolean {
  if (!STATUSES_OF[action].some(status => status === getRunStatus(run))) return false
  const isRun = run.kind === 'pathway' || run.kind === 'neuron'
  if (action === 'cancel') return run.kind !== 'purge'
  return action === 'retry' ? isRun && run.parent_job_id === null && run.purged_at === null : isRun
}

/** Applies an action to the selected runs after a preview. */
export function BulkActions({ runs, onDone }: { runs: BulkRun[]; onDone: () => void }) {
  const { can } = useSignedIn()
  const offered = ACTIONS.filter(
    action => (action !== 'retry' || can('jobs:start')) && runs.some(run => applies(action, run)),
  )
  return (
    <Bulk
      label="Selected runs"
      items={runs}
      actions={Object.fromEntries(offered.map(action => [action, LABELS[action]])) as Partial<Record<Action, string>>}
      onDone={onDone}
    >
      {preview => <Preview {...preview} />}
    </Bulk>
  )
}

function Preview({ action, items, onClose }: PreviewProps<BulkRun, Action>) {
  const label = LABELS[action]
  const concerned = items.filter(run => applies(action, run))
  const others = items.length - concerned.length
  const [outcomes, setOutcomes] = useState<Record<string, string>>({})
  const apply = useChange('jobs', async ({ jobs }) => {
    for (const { job_id } of concerned) {
      const outcome = await jobs[action](job_id).then(
        reply => getDoneStatus(action, 'status' in reply ? reply.status : ''),
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
      setOutcomes(before => ({ ...before, [job_id]: outcome }))
    }
  })
  return (
    <Dialog
      title={`${label} ${formatCount(concerned.length, 'run')}`}
      change={apply}
      label={`${label} ${formatCount(concerned.length, 'run')}`}
      leave={action === 'cancel' ? 'Keep them' : undefined}
      isDanger={action === 'cancel'}
      disabled={concerned.length === 0}
      isDone={apply.isSuccess}
      onClose={() => onClose(apply.isSuccess)}
    >
      {others > 0 && (
        <p className="item-note">
          {label} does not apply to {others} of the selected runs.
        </p>
      )}
      {action === 'retry' && (
        <p className="item-note">Each retry starts a new run that reuses completed steps. Failed steps run again.</p>
      )}
      <ul className="plain-list">
        {concerned.map(({ job_id, title, status, outcome }) => (
          <li key={job_id}>
            <Status status={outcomes[job_id] ?? getRunStatus({ status, outcome })} /> {title}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** Returns a run's status after the action. A cancelled run doesn't count as failed. */
function getDoneStatus(action: Action, status: string): string {
  if (action === 'retry') return 'retried'
  return action === 'cancel' && status === 'failed' ? 'cancelled' : status
}

/** Actions on all runs that match the URL's filters, on all pages. */
export function BulkFilter({ search, total }: { search: RunsSearch; total: number }) {
  const { can } = useSignedIn()
  const [choice, setChoice] = useState<BulkOperation>()
  const { data: counts } = useRunCounts(search)
  if (total === 0 || !can('jobs:control')) return null
  const statuses = listStatuses(search.status)
  const isOffered = (operation: BulkOperation): boolean => {
    if (operation === 'retry' && !can('jobs:start')) return false
    // A migration applies only to runs of a single pathway.
    if (operation === 'migrate' && search.pathway === undefined) return false
    // Without a status filter, bulk retry excludes cancelled runs.
    const ofList = statuses.length > 0 ? statuses : STATUSES.filter(status => status !== 'cancelled')
    return STATUSES_OF[operation].some(
      status => ofList.includes(status) && (counts === undefined || countStatus(counts, status) > 0),
    )
  }
  const offered = (Object.keys(LABELS) as BulkOperation[]).filter(isOffered)
  if (offered.length === 0) return null
  return (
    <div className="bulk" role="group" aria-label="All matching runs">
      <span>All matching runs: {total.toLocaleString()}</span>
      {offered.map(operation => (
        <Button key={operation} size="xs" variant="default" onClick={() => setChoice(operation)}>
          {LABELS[operation]} all…
        </Button>
      ))}
      {choice && (
        <BulkDialog operation={choice} label={LABELS[choice]} search={search} onClose={() => setChoice(undefined)} />
      )}
    </div>
  )
}
