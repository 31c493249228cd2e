import type { JobDetail } from '@ganglion/client'
import { useQuery } from '@tanstack/react-query'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import StartForm from '../pathways/start-form.tsx'
import { useSignedIn } from '../service/signed-in.tsx'
import { useDefinitionQuery } from './queries.ts'

/** Starts the pathway of a run again, with the same input or a changed one. */
export default function StartAgain({ run, onStarted }: { run: JobDetail; onStarted: () => void }) {
  const { ganglion } = useSignedIn()
  const { data: pinned, error } = useQuery(useDefinitionQuery(run))
  if (error) return <Failure error={error} />
  if (!pinned) return <Loading />
  const { definition } = pinned
  const { pathway_id } = run
  return (
    <>
      {pathway_id && <p className="item-note">The present version of the pathway is started.</p>}
      <StartForm
        schema={definition?.input}
        input={run.input}
        onStarted={onStarted}
        start={input =>
          pathway_id
            ? ganglion.pathways.execute(pathway_id, { input })
            : ganglion.jobs.start({ pathway: definition, input })
        }
      />
    </>
  )
}
