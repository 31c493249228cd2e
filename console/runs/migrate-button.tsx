import type { JobDetail } from '@ganglion/client'
import { IconArrowBackUp, IconVersions } from '@tabler/icons-react'
import { lazy } from 'react'
import { ActionButton } from '../parts/action-button.tsx'
import { DialogButton } from '../parts/dialog-button.tsx'
import { Failure } from '../parts/failure.tsx'
import { useChange } from '../service/use-change.ts'

const MigrateDialog = lazy(() => import('./migrate-dialog.tsx'))

/** Opens the dialog of a move to another version. */
export const MigrateButton = ({ run }: { run: JobDetail }) => (
  <DialogButton icon={IconVersions} label="Move to a version…">
    {close => <MigrateDialog run={run} onClose={close} />}
  </DialogButton>
)

/** Takes the last move of a run back. The service refuses once the run has gone on. */
export function UndoMigrationButton({ run }: { run: JobDetail }) {
  const undo = useChange('jobs', ({ jobs }, migration_id: string) => jobs.undoMigration(run.job_id, { migration_id }))
  const last = run.migrations?.at(-1)
  return (
    <>
      {undo.error && <Failure error={undo.error} />}
      {last && last.undone_at === undefined && (
        <ActionButton icon={IconArrowBackUp} loading={undo.isPending} onClick={() => undo.mutate(last.id)}>
          Move back to version {last.from_version}
        </ActionButton>
      )}
    </>
  )
}
