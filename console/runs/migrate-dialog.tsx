import type { JobDetail, Schema } from '@ganglion/client'
import { useState } from 'react'
import { VersionChoice } from '../shared/parts/choice.tsx'
import { Dialog } from '../shared/parts/dialog.tsx'
import { Failure, Read } from '../shared/parts/read.tsx'
import { useVersions } from '../pathways/queries.ts'
import { useChange, useRead } from '../shared/service/use-service.ts'

/** Checks whether a run can move to another version of its pathway, shows any problems, and moves the run. */
export default function MigrateDialog({ run, onClose }: { run: JobDetail; onClose: () => void }) {
  const [targetVersion, setTargetVersion] = useState<number>()
  const pathway = run.pathway_id ?? ''
  const from_version = run.pathway_version ?? 0
  const versions = useVersions(pathway)
  const others = (versions.data ?? []).filter(({ version }) => version !== from_version)
  const to_version = targetVersion ?? others[0]?.version
  const request = { pathway, from_version, to_version: to_version ?? 0, filter: { job_ids: [run.job_id] } }
  const plan = useRead(
    ['migration', request],
    async ({ jobs }) => (await jobs.migrate({ ...request, dry_run: true })).runs[0] ?? null,
    { enabled: to_version !== undefined, staleTime: 0 },
  )
  const move = useChange('jobs', ({ jobs }) => jobs.migrate(request), onClose)
  return (
    <Dialog
      title="Move to another version"
      change={move}
      label="Move the run"
      disabled={plan.data?.outcome !== 'can_move'}
      onClose={onClose}
    >
      {versions.error && <Failure error={versions.error} />}
      {versions.data && others.length === 0 && <p>This workflow has no other versions.</p>}
      {others.length > 0 && (
        <VersionChoice label="Version" versions={others} value={to_version} onChange={setTargetVersion} />
      )}
      <Read query={plan}>{plan => plan && <Plan plan={plan} />}</Read>
    </Dialog>
  )
}

type RunMove = Schema<'MigrationReport'>['runs'][number]

const Plan = ({ plan: { outcome, problems = [], asked_again = [] } }: { plan: RunMove }) => (
  <section className={outcome === 'can_move' ? 'shown' : 'refusal'} aria-label="Migration check">
    {outcome === 'can_move' ? 'The run can move. Completed steps stay valid.' : 'The run cannot move:'}
    {asked_again.length > 0 && (
      <>
        <p>The new version changes nodes after these decisions. People will be asked again:</p>
        <ul className="plain-list" aria-label="Decisions required again">
          {asked_again.map(({ key }) => (
            <li key={key}>
              <code>{key}</code>
            </li>
          ))}
        </ul>
      </>
    )}
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
