import type { Job } from '@ganglion/client'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Bulk, type PreviewProps, Dialog } from '../parts/dialog.tsx'
import { Status } from '../parts/inline.tsx'
import { showLater } from '../parts/loading.tsx'
import { useSignedIn } from '../service/signed-in.tsx'
import { useChange } from '../service/use-service.ts'
import type { BulkOperation } from './bulk-dialog.tsx'
import type { RunsSearch } from './search.ts'

const BulkDialog = showLater(() => import('./bulk-dialog.tsx'))

type BulkRun = Pick<Job, 'job_id' | 'title' | 'status'>

const LABELS: Record<BulkOperation, string> = {
  cancel: 'Cancel',
  pause: 'Pause',
  resume: 'Resume',
  retry: 'Retry',
  migrate: 'Migrate',
}

/** What can be done with the chosen runs. */
const ACTIONS = { cancel: LABELS.cancel, pause: LABELS.pause }
type Action = keyof typeof ACTIONS

/** The statuses of runs to which an action applies. */
const APPLIES: Record<Action, string[]> = {
  cancel: ['pending', 'running', 'waiting', 'paused'],
  pause: ['pending', 'running', 'waiting'],
}

/** Cancels or pauses the chosen runs, after a look at which ones these are. */
export const BulkActions = ({ runs, onDone }: { runs: BulkRun[]; onDone: () => void }) => (
  <Bulk label="Chosen runs" items={runs} actions={ACTIONS} onDone={onDone}>
    {preview => <Preview {...preview} />}
  </Bulk>
)

function Preview({ action, items, onClose }: PreviewProps<BulkRun, Action>) {
  const label = ACTIONS[action]
  const concerned = items.filter(({ status }) => APPLIES[action].includes(status))
  const others = items.length - concerned.length
  const [outcomes, setOutcomes] = useState<Record<string, string>>({})
  const apply = useChange('jobs', async ({ jobs }) => {
    for (const { job_id } of concerned) {
      const outcome = await jobs[action](job_id).then(
        ({ status }) => status,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
      setOutcomes(before => ({ ...before, [job_id]: outcome }))
    }
  })
  return (
    <Dialog
      title={`${label} ${concerned.length} runs`}
      change={apply}
      label={`${label} ${concerned.length}`}
      disabled={concerned.length === 0}
      isDone={apply.isSuccess}
      onClose={() => onClose(apply.isSuccess)}
    >
      {others > 0 && (
        <p className="item-note">
          {others} of the chosen runs are left as they are: {label} does not apply.
        </p>
      )}
      <ul className="plain-list">
        {concerned.map(({ job_id, title, status }) => (
          <li key={job_id}>
            <Status status={outcomes[job_id] ?? status} /> {title}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** What can be done with all runs that the address matches, on all pages. */
export function BulkFilter({ search, total }: { search: RunsSearch; total: number }) {
  const { can } = useSignedIn()
  const [chosen, setChosen] = useState<BulkOperation>()
  if (total === 0 || !can('jobs:control')) return null
  const offered: Record<BulkOperation, boolean> = {
    cancel: true,
    pause: true,
    resume: true,
    retry: can('jobs:start'),
    // Only runs of one pathway move together.
    migrate: search.pathway !== undefined,
  }
  return (
    <div className="bulk" role="group" aria-label="All runs of this list">
      <span>All of this list: {total.toLocaleString()}</span>
      {(Object.keys(LABELS) as BulkOperation[])
        .filter(operation => offered[operation])
        .map(operation => (
          <Button key={operation} size="xs" variant="default" onClick={() => setChosen(operation)}>
            {LABELS[operation]} all…
          </Button>
        ))}
      {chosen && (
        <BulkDialog operation={chosen} label={LABELS[chosen]} search={search} onClose={() => setChosen(undefined)} />
      )}
    </div>
  )
}
