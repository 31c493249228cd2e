import type { Job } from '@ganglion/client'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Bulk } from '../parts/bulk.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { showLater } from '../parts/later.tsx'
import { Status } from '../parts/status.tsx'
import { useSignedIn } from '../service/signed-in.tsx'
import { useChange } from '../service/use-service.ts'
import type { BulkOperation } from './bulk-dialog.tsx'
import type { RunsSearch } from './search.ts'

const BulkDialog = showLater(() => import('./bulk-dialog.tsx'))

type BulkRun = Pick<Job, 'job_id' | 'title' | 'status'>

const ACTIONS = { cancel: 'Cancel', pause: 'Pause' }
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

interface PreviewProps {
  action: Action
  items: BulkRun[]
  onClose: (isDone: boolean) => void
}

function Preview({ action, items, onClose }: PreviewProps) {
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

/** The operations on all runs of a list, with the permission that each needs beside `jobs:control`. */
const OPERATIONS: { name: BulkOperation; label: string; permission: string }[] = [
  { name: 'cancel', label: 'Cancel', permission: 'jobs:control' },
  { name: 'pause', label: 'Pause', permission: 'jobs:control' },
  { name: 'resume', label: 'Resume', permission: 'jobs:control' },
  { name: 'retry', label: 'Retry', permission: 'jobs:start' },
  { name: 'migrate', label: 'Migrate', permission: 'jobs:control' },
]

/** What can be done with all runs that the address matches, on all pages. */
export function BulkFilter({ search, total }: { search: RunsSearch; total: number }) {
  const { can } = useSignedIn()
  const [chosen, setChosen] = useState<(typeof OPERATIONS)[number]>()
  // Only runs of one pathway move together.
  const offered = OPERATIONS.filter(
    ({ name, permission }) =>
      can('jobs:control') && can(permission) && (name !== 'migrate' || search.pathway !== undefined),
  )
  if (total === 0 || offered.length === 0) return null
  return (
    <div className="bulk" role="group" aria-label="All runs of this list">
      <span>All of this list: {total.toLocaleString()}</span>
      {offered.map(one => (
        <Button key={one.name} size="xs" variant="default" onClick={() => setChosen(one)}>
          {one.label} all…
        </Button>
      ))}
      {chosen && (
        <BulkDialog operation={chosen.name} label={chosen.label} search={search} onClose={() => setChosen(undefined)} />
      )}
    </div>
  )
}
