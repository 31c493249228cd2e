import type { JobDetail, Schema } from '@ganglion/client'
import { Modal, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DialogActions } from '../parts/dialog-actions.tsx'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { toVersionOption, useVersionsQuery } from '../pathways/queries.ts'
import { useSignedIn } from '../service/signed-in.tsx'
import { useChange } from '../service/use-change.ts'

/** Shows whether a run can move to a version of its pathway, or why not, and moves it. */
export default function MigrateDialog({ run, onClose }: { run: JobDetail; onClose: () => void }) {
  const { ganglion } = useSignedIn()
  const [chosen, setChosen] = useState<number>()
  const pathway = run.pathway_id ?? ''
  const from_version = run.pathway_version ?? 0
  const versions = useQuery(useVersionsQuery(pathway))
  const others = (versions.data ?? []).filter(({ version }) => version !== from_version)
  const to_version = chosen ?? others[0]?.version
  const request = { pathway, from_version, to_version: to_version ?? 0, filter: { job_ids: [run.job_id] } }
  const plan = useQuery({
    queryKey: ['migration', request],
    queryFn: async () => (await ganglion.jobs.migrate({ ...request, dry_run: true })).runs[0],
    enabled: to_version !== undefined,
    staleTime: 0,
  })
  const move = useChange('jobs', ({ jobs }) => jobs.migrate(request), onClose)
  return (
    <Modal opened onClose={onClose} title="Move to another version" size="lg">
      <div className="fields">
        {versions.error && <Failure error={versions.error} />}
        {versions.data && others.length === 0 && <p>The pathway has no other version.</p>}
        {others.length > 0 && (
          <NativeSelect
            label="Version"
            value={to_version}
            onChange={event => setChosen(Number(event.currentTarget.value))}
            data={others.map(toVersionOption)}
          />
        )}
        {plan.isLoading && <Loading />}
        {plan.error && <Failure error={plan.error} />}
        {plan.data && <Plan plan={plan.data} />}
        <DialogActions action={move} disabled={plan.data?.outcome !== 'can_move'} onClose={onClose}>
          Move the run
        </DialogActions>
      </div>
    </Modal>
  )
}

type RunMove = Schema<'MigrationReport'>['runs'][number]

const Plan = ({ plan: { outcome, problems = [] } }: { plan: RunMove }) => (
  <section className={outcome === 'can_move' ? 'shown' : 'refusal'} aria-label="Whether it can move">
    {outcome === 'can_move' ? 'It can move: what it has done keeps its meaning.' : 'It cannot move:'}
    {problems.length > 0 && (
      <ul className="plain-list">
        {problems.map(({ pointer, message }) => (
          <li key={`${pointer} ${message}`}>
            {pointer !== '' && <code>{pointer}</code>} {message}
          </li>
        ))}
      </ul>
    )}
  </section>
)
