import type { JobDetail } from '@ganglion/client'
import { Modal, Text } from '@mantine/core'
import { IconBan, IconPlayerPause, IconPlayerPlay, IconRefresh } from '@tabler/icons-react'
import { lazy } from 'react'
import { ActionButton } from '../parts/action-button.tsx'
import { DialogActions } from '../parts/dialog-actions.tsx'
import { DialogButton } from '../parts/dialog-button.tsx'
import { Failure } from '../parts/failure.tsx'
import { useSignedIn } from '../service/signed-in.tsx'
import { useChange } from '../service/use-change.ts'
import { ForkButton } from './fork-button.tsx'
import { MigrateButton, UndoMigrationButton } from './migrate-button.tsx'

const StartAgain = lazy(() => import('./start-again.tsx'))

/** What can be done with a run, as far as the person may do it. */
export function RunActions({ run }: { run: JobDetail }) {
  const { can } = useSignedIn()
  const act = useChange('jobs', ({ jobs }, action: 'pause' | 'resume') => jobs[action](run.job_id))
  const mayControl = can('jobs:control') && run.finished_at === null
  const mayStart = can('jobs:start') && run.kind === 'pathway' && run.purged_at === null
  return (
    <>
      {act.error && <Failure error={act.error} />}
      {mayControl && run.status !== 'paused' && (
        <ActionButton icon={IconPlayerPause} onClick={() => act.mutate('pause')}>
          Pause
        </ActionButton>
      )}
      {mayControl && run.status === 'paused' && (
        <ActionButton icon={IconPlayerPlay} onClick={() => act.mutate('resume')}>
          Resume
        </ActionButton>
      )}
      {mayControl && (
        <DialogButton icon={IconBan} label="Cancel">
          {close => <CancelDialog run={run} onClose={close} />}
        </DialogButton>
      )}
      {mayControl && run.pathway_version !== null && <MigrateButton run={run} />}
      {mayControl && <UndoMigrationButton run={run} />}
      {mayStart && (
        <DialogButton icon={IconRefresh} label="Start again">
          {close => (
            <Modal opened onClose={close} title="Start again with this input" size="lg">
              <StartAgain run={run} onStarted={close} />
            </Modal>
          )}
        </DialogButton>
      )}
      {can('jobs:start') && run.status === 'failed' && run.parent_job_id === null && run.purged_at === null && (
        <ForkButton label="Retry…" wish={{ kind: 'retry', jobId: run.job_id }} />
      )}
    </>
  )
}

function CancelDialog({ run, onClose }: { run: JobDetail; onClose: () => void }) {
  const cancel = useChange('jobs', ({ jobs }) => jobs.cancel(run.job_id), onClose)
  return (
    <Modal opened onClose={onClose} title="Cancel this run?">
      <div className="fields">
        <Text size="sm">
          What is in progress stops, and what was done is compensated where the pathway says how. A receipt tells what
          became of each node.
        </Text>
        <DialogActions action={cancel} onClose={onClose}>
          Cancel the run
        </DialogActions>
      </div>
    </Modal>
  )
}
