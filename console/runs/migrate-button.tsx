import type { JobDetail } from '@ganglion/client'
import { Button } from '@mantine/core'
import { IconArrowBackUp, IconVersions } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Failure } from '../parts/failure.tsx'
import { useSignedIn } from '../service/signed-in.tsx'

const MigrateDialog = lazy(() => import('./migrate-dialog.tsx'))

/** Opens the dialog of a move to another version. */
export function MigrateButton({ run }: { run: JobDetail }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconVersions size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Move to a version…
      </Button>
      {isOpen && (
        <Suspense>
          <MigrateDialog run={run} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Takes the last move of a run back. The service refuses once the run has gone on. */
export function UndoMigrationButton({ run }: { run: JobDetail }) {
  const { ganglion } = useSignedIn()
  const queryClient = useQueryClient()
  const undo = useMutation({
    mutationFn: async (migration_id: string) => void (await ganglion.jobs.undoMigration(run.job_id, { migration_id })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['jobs'] }),
  })
  const last = run.migrations?.at(-1)
  if (!last || last.undone_at !== undefined) return undo.error && <Failure error={undo.error} />
  return (
    <>
      {undo.error && <Failure error={undo.error} />}
      <Button
        size="xs"
        variant="default"
        loading={undo.isPending}
        leftSection={<IconArrowBackUp size={16} aria-hidden />}
        onClick={() => undo.mutate(last.id)}
      >
        Move back to version {last.from_version}
      </Button>
    </>
  )
}
