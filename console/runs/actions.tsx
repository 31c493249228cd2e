import type { JobDetail } from '@ganglion/client'
import { Button, Group, Modal, Text } from '@mantine/core'
import { IconBan, IconPlayerPause, IconPlayerPlay, IconRefresh } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { useSignedIn } from '../service/signed-in.tsx'
import { ForkButton } from './fork-button.tsx'
import { MigrateButton, UndoMigrationButton } from './migrate-button.tsx'

const StartAgain = lazy(() => import('./start-again.tsx'))

type Action = 'pause' | 'resume' | 'cancel'

/** What can be done with a run, as far as the person may do it. */
export function RunActions({ run }: { run: JobDetail }) {
  const { ganglion, can } = useSignedIn()
  const queryClient = useQueryClient()
  const [dialog, setDialog] = useState<'cancel' | 'again'>()
  const act = useMutation({
    mutationFn: async (action: Action) => void (await ganglion.jobs[action](run.job_id)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['jobs'] }),
    onSuccess: () => setDialog(undefined),
  })
  const isOpen = run.finished_at === null
  const mayControl = can('jobs:control') && isOpen
  const mayStart = can('jobs:start') && run.kind === 'pathway' && run.purged_at === null
  return (
    <>
      {act.error && <Failure error={act.error} />}
      {mayControl && run.status !== 'paused' && (
        <ActionButton label="Pause" icon={IconPlayerPause} onClick={() => act.mutate('pause')} />
      )}
      {mayControl && run.status === 'paused' && (
        <ActionButton label="Resume" icon={IconPlayerPlay} onClick={() => act.mutate('resume')} />
      )}
      {mayControl && <ActionButton label="Cancel" icon={IconBan} onClick={() => setDialog('cancel')} />}
      {mayControl && run.pathway_version !== null && <MigrateButton run={run} />}
      {mayControl && <UndoMigrationButton run={run} />}
      {mayStart && <ActionButton label="Start again" icon={IconRefresh} onClick={() => setDialog('again')} />}
      {can('jobs:start') && run.status === 'failed' && run.parent_job_id === null && run.purged_at === null && (
        <ForkButton label="Retry…" wish={{ kind: 'retry', jobId: run.job_id }} />
      )}
      <Modal opened={dialog === 'cancel'} onClose={() => setDialog(undefined)} title="Cancel this run?">
        <Text size="sm">
          What is in progress stops, and what was done is compensated where the pathway says how. A receipt tells what
          became of each node.
        </Text>
        <Group mt="md">
          <Button loading={act.isPending} onClick={() => act.mutate('cancel')}>
            Cancel the run
          </Button>
          <Button variant="default" onClick={() => setDialog(undefined)}>
            Leave it
          </Button>
        </Group>
      </Modal>
      <Modal
        opened={dialog === 'again'}
        onClose={() => setDialog(undefined)}
        title="Start again with this input"
        size="lg"
      >
        <Suspense fallback={<Loading />}>
          <StartAgain run={run} onStarted={() => setDialog(undefined)} />
        </Suspense>
      </Modal>
    </>
  )
}

interface ActionButtonProps {
  label: string
  icon: typeof IconBan
  onClick: () => void
}

const ActionButton = ({ label, icon: Icon, onClick }: ActionButtonProps) => (
  <Button size="xs" variant="default" leftSection={<Icon size={16} aria-hidden />} onClick={onClick}>
    {label}
  </Button>
)
