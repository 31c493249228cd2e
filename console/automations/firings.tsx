import { Title } from '@mantine/core'
import { useState } from 'react'
import { ChangeButton } from '../parts/action-button.tsx'
import { Choice } from '../parts/choice.tsx'
import { toName, toSpaced } from '../parts/names.ts'
import { Read } from '../parts/read.tsx'
import { RunLink } from '../parts/run-link.tsx'
import { Status } from '../parts/status.tsx'
import { When } from '../parts/when.tsx'
import { useSignedIn } from '../service/signed-in.tsx'
import { useRead } from '../service/use-service.ts'

const DECISIONS = [
  'fired',
  'filtered',
  'limited',
  'duplicate',
  'failed_mapping',
  'paused',
  'target_missing',
  'refused',
] as const
const OPTIONS = DECISIONS.map(value => ({ value, label: toSpaced(value) }))
const LISTED = 20
/** A firing is no event of the workspace. */
const REFRESH_MS = 15_000

/** The latest events that reached a trigger: what was decided about each, why, and the run that it started. */
export function Firings({ triggerId }: { triggerId: string }) {
  const { can } = useSignedIn()
  const [decision, setDecision] = useState<(typeof DECISIONS)[number]>()
  const firings = useRead(
    ['triggers', 'firings', triggerId, decision],
    async ({ triggers }) => {
      const { data, total } = await triggers.runs(triggerId, { limit: LISTED, decision })
      return { data, total }
    },
    { enabled: can('jobs:read'), refetchInterval: REFRESH_MS },
  )
  if (!can('jobs:read')) return null
  return (
    <section aria-label="Firings">
      <header className="detail-head">
        <Title order={3} size="h5">
          Firings
        </Title>
        <Choice
          size="xs"
          aria-label="Decision"
          none="All decisions"
          value={decision}
          options={OPTIONS}
          onChange={setDecision}
        />
      </header>
      <Read query={firings}>
        {({ data, total }) => (
          <>
            {total === 0 && <p className="item-note">No event has reached it.</p>}
            <ul className="plain-list">
              {data.map(({ id, decision, reason, job_id, source, fired_by, replay_of, event, created_at }) => (
                <li key={id}>
                  <div className="item-note">
                    <Status status={decision} /> <When time={created_at} /> by {fired_by ? toName(fired_by) : source}
                    {replay_of && ', again'}
                    {job_id && <RunLink jobId={job_id}>Run</RunLink>}
                    {event && can('jobs:start') && (
                      <ChangeButton name="triggers" send={({ triggers }) => triggers.replay(triggerId, id)}>
                        Fire again
                      </ChangeButton>
                    )}
                  </div>
                  {reason}
                </li>
              ))}
            </ul>
            {total > data.length && (
              <p className="item-note">
                The latest {data.length} of {total}
              </p>
            )}
          </>
        )}
      </Read>
    </section>
  )
}
