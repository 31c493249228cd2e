import type { Item } from '@ganglion/client'
import { NativeSelect, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure } from '../parts/failure.tsx'
import { toName, toSpaced } from '../parts/names.ts'
import { RowButton } from '../parts/row-button.tsx'
import { Status } from '../parts/status.tsx'
import { When } from '../parts/when.tsx'
import { useSignedIn } from '../service/signed-in.tsx'
import { useChange } from '../service/use-change.ts'
import { useFiringsQuery } from './queries.ts'

const DECISIONS = ['fired', 'filtered', 'limited', 'duplicate', 'failed_mapping', 'paused', 'target_missing', 'refused']

/** The latest events that reached a trigger: what was decided about each, why, and the run that it started. */
export function Firings({ triggerId }: { triggerId: string }) {
  const { can } = useSignedIn()
  const [decision, setDecision] = useState('')
  const { data, error } = useQuery({ ...useFiringsQuery(triggerId, decision), enabled: can('jobs:read') })
  if (!can('jobs:read')) return null
  return (
    <section aria-label="Firings">
      <header className="detail-head">
        <Title order={3} size="h5">
          Firings
        </Title>
        <NativeSelect
          size="xs"
          aria-label="Decision"
          value={decision}
          onChange={event => setDecision(event.currentTarget.value)}
          data={[{ value: '', label: 'All decisions' }, ...DECISIONS.map(value => ({ value, label: toSpaced(value) }))]}
        />
      </header>
      {error && <Failure error={error} />}
      {data?.total === 0 && <p className="item-note">No event has reached it.</p>}
      <ul className="plain-list">
        {data?.data.map(firing => (
          <FiringRow key={firing.id} firing={firing} />
        ))}
      </ul>
      {data && data.total > data.data.length && (
        <p className="item-note">
          The latest {data.data.length} of {data.total}
        </p>
      )}
    </section>
  )
}

type Firing = Item<'triggers.runs'>

function FiringRow({ firing }: { firing: Firing }) {
  const { id, trigger_id, decision, reason, job_id, source, fired_by, replay_of, event, created_at } = firing
  const { can } = useSignedIn()
  const replay = useChange('triggers', ganglion => ganglion.triggers.replay(trigger_id, id))
  return (
    <li>
      <span className="item-note">
        <Status status={toSpaced(decision)} /> <When time={created_at} /> by {fired_by ? toName(fired_by) : source}
        {replay_of && ', again'}
        {job_id && (
          <Link to="/runs/$jobId" params={{ jobId: job_id }} className="table-link">
            Run
          </Link>
        )}
        {event && can('jobs:start') && (
          <RowButton loading={replay.isPending} onClick={() => replay.mutate()}>
            Fire again
          </RowButton>
        )}
      </span>
      {reason && <span>{reason}</span>}
      {replay.error && <Failure error={replay.error} />}
    </li>
  )
}
