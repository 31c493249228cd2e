import { Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { BulkBar } from '../parts/bulk-bar.tsx'
import { Status } from '../parts/status.tsx'
import { useSignedIn } from '../service/signed-in.tsx'
import { useChange } from '../service/use-change.ts'

interface BulkRun {
  job_id: string
  title: string
  status: string
}

const ACTIONS = {
  cancel: { label: 'Cancel', applies: ['pending', 'running', 'waiting', 'paused'] },
  pause: { label: 'Pause', applies: ['pending', 'running', 'waiting'] },
} as const

type Action = keyof typeof ACTIONS

/** Cancels or pauses the chosen runs, after a look at which ones these are. */
export function BulkActions({ runs, onDone }: { runs: BulkRun[]; onDone: () => void }) {
  // As they were chosen: a run that is cancelled may leave the list while the outcome is shown.
  const [preview, setPreview] = useState<{ action: Action; runs: BulkRun[] }>()
  const close = () => setPreview(undefined)
  return (
    <>
      <BulkBar
        label="Chosen runs"
        count={runs.length}
        actions={Object.keys(ACTIONS) as Action[]}
        toLabel={action => ACTIONS[action].label}
        onAction={action => setPreview({ action, runs })}
        onNone={onDone}
      />
      {preview && (
        <Preview
          {...preview}
          onClose={close}
          onDone={() => {
            close()
            onDone()
          }}
        />
      )}
    </>
  )
}

interface PreviewProps {
  action: Action
  runs: BulkRun[]
  onClose: () => void
  onDone: () => void
}

function Preview({ action, runs, onClose, onDone }: PreviewProps) {
  const { ganglion } = useSignedIn()
  const { label, applies } = ACTIONS[action]
  const concerned = runs.filter(({ status }) => (applies as readonly string[]).includes(status))
  const [outcomes, setOutcomes] = useState<Record<string, string>>({})
  const act = async (action: Action, jobId: string): Promise<string> => {
    try {
      return (await ganglion.jobs[action](jobId)).status
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
  const apply = useChange('jobs', async () => {
    for (const { job_id } of concerned) {
      const outcome = await act(action, job_id)
      setOutcomes(before => ({ ...before, [job_id]: outcome }))
    }
  })
  const others = runs.length - concerned.length
  const close = apply.isSuccess ? onDone : onClose
  return (
    <Modal opened onClose={close} title={`${label} ${concerned.length} runs`} size="lg">
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
      <Group mt="md">
        {!apply.isSuccess && (
          <Button loading={apply.isPending} disabled={concerned.length === 0} onClick={() => apply.mutate()}>
            {label} {concerned.length}
          </Button>
        )}
        <Button variant="default" onClick={close}>
          Close
        </Button>
      </Group>
    </Modal>
  )
}
