import type { JobDetail } from '@ganglion/client'
import { Text } from '@mantine/core'
import * as icons from '@tabler/icons-react'
import { lazy } from 'react'
import { ChangeButton } from '../shared/parts/buttons.tsx'
import { Dialog, DialogButton } from '../shared/parts/dialog.tsx'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useChange } from '../shared/service/use-service.ts'
import { ForkButton } from './forks/forks.tsx'

const StartAgain = lazy(() => import('./forks/start-again.tsx'))
const MigrateDialog = lazy(() => import('./migrate-dialog.tsx'))

/** Actions on a run that the person is permitted to perform. */
export function RunActions({ run }: { run: JobDetail }) {
  const { can } = useSignedIn()
  const { job_id, status, migrations } = run
  const mayStart = can('jobs:start') && run.purged_at === null
  const isPaused = status === 'paused'
  const lastMigration = migrations?.at(-1)
  return (
    <>
      {can('jobs:control') && run.finished_at === null && (
        <>
          <ChangeButton
            name="jobs"
            icon={isPaused ? icons.IconPlayerPlay : icons.IconPlayerPause}
            send={({ jobs }) => (isPaused ? jobs.resume(job_id) : jobs.pause(job_id))}
          >
            {isPaused ? 'Resume' : 'Pause'}
          </ChangeButton>
          <DialogButton icon={icons.IconBan} label="Cancel">
            {close => <CancelDialog jobId={job_id} onClose={close} />}
          </DialogButton>
          {run.pathway_version !== null && (
            <DialogButton icon={icons.IconVersions} label="Move to a version…">
              {close => <MigrateDialog run={run} onClose={close} />}
            </DialogButton>
          )}
          {/* The service rejects this once the run has continued. */}
          {lastMigration && lastMigration.undone_at === undefined && (
            <ChangeButton
              name="jobs"
              icon={icons.IconArrowBackUp}
              send={({ jobs }) => jobs.undoMigration(job_id, { migration_id: lastMigration.id })}
            >
              Move back to version {lastMigration.from_version}
            </ChangeButton>
          )}
        </>
      )}
      {mayStart && run.kind === 'pathway' && (
        <DialogButton icon={icons.IconRefresh} label="Run again">
          {close => <StartAgain run={run} onClose={close} />}
        </DialogButton>
      )}
      {mayStart && status === 'failed' && run.parent_job_id === null && (
        <ForkButton label="Retry…" wish={{ kind: 'retry', jobId: job_id }} />
      )}
    </>
  )
}

function CancelDialog({ jobId, onClose }: { jobId: string; onClose: () => void }) {
  const cancel = useChange('jobs', ({ jobs }) => jobs.cancel(jobId), onClose)
  return (
    <Dialog
      title="Cancel this run?"
      change={cancel}
      label="Cancel the run"
      leave="Keep the run"
      isDanger
      onClose={onClose}
    >
      <Text size="sm">
        Running steps stop. Completed steps are compensated where the workflow defines it. A receipt lists the outcome
        of each step.
      </Text>
    </Dialog>
  )
}
