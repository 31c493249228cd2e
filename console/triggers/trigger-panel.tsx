import type { Schema } from '@ganglion/client'
import { Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Panel } from '../shared/parts/boxes.tsx'
import { ChangeButton } from '../shared/parts/buttons.tsx'
import { buildChoices, Choice } from '../shared/parts/choice.tsx'
import { Status, formatAbsolute, When, RunLink } from '../shared/parts/inline.tsx'
import { replaceUnderscores } from '../shared/parts/names.ts'
import { Person } from '../shared/parts/person.tsx'
import { Read } from '../shared/parts/read.tsx'
import { Facts, Markdown, Value } from '../shared/parts/values.tsx'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useRead } from '../shared/service/use-service.ts'
import { TriggerActions } from './trigger-actions.tsx'

interface TriggerProps {
  trigger: Schema<'AutomationTrigger'>
}

/** Trigger details: health, next runs, settings, and the latest events. */
export function TriggerPanel({ trigger, onClose }: TriggerProps & { onClose: () => void }) {
  const { id, title, description, health, health_reason, trigger_type = 'manual', target } = trigger
  return (
    <Panel subject="trigger" title={title} onClose={onClose}>
      <Facts>
        <Status status={health} />
        {trigger_type}
        {target && (
          <>
            starts the {target.type}{' '}
            {target.type === 'pathway' ? (
              <Link
                to="/pathways/$pathwayId"
                params={{ pathwayId: target.ref.split('@')[0] ?? '' }}
                className="table-link"
              >
                {target.ref}
              </Link>
            ) : (
              <code>{target.ref}</code>
            )}
          </>
        )}
      </Facts>
      {health_reason && <p className="detail-text">{health_reason}</p>}
      {description && <Markdown text={description} />}
      <TriggerActions trigger={trigger} />
      {trigger_type === 'schedule' && <Times trigger={trigger} />}
      <Firings triggerId={id} />
      <Settings trigger={trigger} />
    </Panel>
  )
}

const MAX_TIMES = 5

function Times({ trigger: { id, version } }: TriggerProps) {
  const { data } = useRead(['triggers', 'times', id, version], ({ triggers }) => triggers.preview(id), {
    refetchInterval: REFRESH_MS,
  })
  if (!data) return null
  return (
    <section aria-label="Next runs">
      <Title order={3} size="h5">
        Next runs
      </Title>
      {data.times.length === 0 && <p className="item-note">No upcoming runs.</p>}
      <ul className="plain-list">
        {data.times.slice(0, MAX_TIMES).map(time => (
          <li key={time}>
            {formatAbsolute(time)}, <When time={time} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Settings({ trigger }: TriggerProps) {
  const { trigger_type = 'manual', filter, input, limits = {} } = trigger
  const settings = {
    ...trigger[trigger_type],
    ...(filter !== undefined && { filter }),
    ...(input !== undefined && { input }),
    ...limits,
  }
  if (Object.keys(settings).length === 0) return null
  return (
    <section aria-label="Settings">
      <Title order={3} size="h5">
        Settings
      </Title>
      <Value value={settings} />
    </section>
  )
}

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
const OPTIONS = buildChoices(DECISIONS, replaceUnderscores)
const LISTED = 20
/** Firings cause no workspace events, so the page polls them. */
export const REFRESH_MS = 15_000

/** A trigger's latest events, each with the decision, the reason, and the run it started. */
export function Firings({ triggerId }: { triggerId: string }) {
  const { can } = useSignedIn()
  const [decision, setDecision] = useState<(typeof DECISIONS)[number]>()
  const firings = useRead(
    ['triggers', 'firings', triggerId, decision],
    ({ triggers }) => triggers.runs(triggerId, { limit: LISTED, decision }),
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
            {total === 0 && <p className="item-note">No events yet.</p>}
            <ul className="plain-list">
              {data.map(({ id, decision, reason, job_id, source, fired_by, replay_of, event, created_at }) => (
                <li key={id}>
                  <div className="item-note">
                    <Status status={decision} /> <When time={created_at} /> by{' '}
                    {fired_by ? <Person actor={fired_by} /> : source}
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
                Showing the latest {data.length} of {total}
              </p>
            )}
          </>
        )}
      </Read>
    </section>
  )
}
