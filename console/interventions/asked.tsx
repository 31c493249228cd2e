import type { JobDetail } from '@ganglion/client'
import { useSignedIn } from '../service/signed-in.tsx'
import { Detail } from './detail.tsx'

const stay = () => undefined

/** What a run asks, to be answered where the run is shown. */
export function Asked({ run, label }: { run: JobDetail; label: string }) {
  const { can } = useSignedIn()
  if (!can('interventions:read')) return null
  return run.waitingFor?.map(({ interventionId }) => (
    <section key={interventionId} className="pane run-question" aria-label={label}>
      <Detail id={interventionId} onAnswered={stay} />
    </section>
  ))
}
