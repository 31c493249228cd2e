import type { JobDetail } from '@ganglion/client'
import { Modal } from '@mantine/core'
import { Read } from '../../shared/parts/read.tsx'
import StartForm from '../../pathways/start-form.tsx'
import { useSignedIn } from '../../shared/service/signed-in.tsx'
import { useDefinition } from '../queries.ts'

/** Starts the pathway of a run again, with the same input or a changed one. */
export default function StartAgain({ run, onClose }: { run: JobDetail; onClose: () => void }) {
  const { ganglion } = useSignedIn()
  const { pathway_id } = run
  return (
    <Modal opened onClose={onClose} title="Start again with this input" size="lg">
      {pathway_id && <p className="item-note">The present version of the pathway is started.</p>}
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
