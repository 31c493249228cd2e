import type { JobDetail } from '@ganglion/client'
import { Modal } from '@mantine/core'
import { Read } from '../../shared/parts/read.tsx'
import StartForm from '../../pathways/start-form.tsx'
import { useSignedIn } from '../../shared/service/signed-in.tsx'
import { useDefinition } from '../queries.ts'

/** Starts a run's pathway again, with the same or a changed input. */
export default function StartAgain({ run, onClose }: { run: JobDetail; onClose: () => void }) {
  const { ganglion } = useSignedIn()
  const { pathway_id } = run
  return (
    <Modal opened onClose={onClose} title="Run again" size="lg">
      {pathway_id && <p className="item-note">This starts the latest version of the workflow.</p>}
      <Read query={useDefinition(run)}>
        {({ definition }) => (
          <StartForm
            schema={definition?.input}
            input={run.input}
            onStarted={onClose}
            start={input =>
              pathway_id
                ? ganglion.pathways.execute(pathway_id, { input })
                : ganglion.jobs.start({ pathway: definition, input })
            }
          />
        )}
      </Read>
    </Modal>
  )
}
