import type { Schema } from '@ganglion/client'
import { Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { Value } from '../parts/value.tsx'
import { toAbsolute, When } from '../parts/when.tsx'
import { useRead } from '../service/use-service.ts'
import { Firings } from './firings.tsx'
import { TriggerActions } from './trigger-actions.tsx'

interface TriggerProps {
  trigger: Schema<'AutomationTrigger'>
}

/** One trigger: how it is, why, when it fires next, what it does, and what became of the events that reached it. */
export function TriggerPanel({ trigger, onClose }: TriggerProps & { onClose: () => void }) {
  const { id, title, description, health, health_reason, trigger_type = 'manual', target } = trigger
  return (
    <Panel what="trigger" title={title} onClose={onClose}>
      <ul className="facts">
        <li>
          <Status status={health} />
        </li>
        <li>{trigger_type}</li>
        {target && (
          <li>
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
          </li>
        )}
      </ul>
      {health_reason && <p className="detail-text">{health_reason}</p>}
      {description && <p className="detail-text">{description}</p>}
      <TriggerActions trigger={trigger} />
      {trigger_type === 'schedule' && <Times trigger={trigger} />}
      <Firings triggerId={id} />
      <Settings trigger={trigger} />
    </Panel>
  )
}

const SHOWN = 5
/** A firing is no event of the workspace. */
const REFRESH_MS = 15_000

function Times({ trigger: { id, version } }: TriggerProps) {
  const { data } = useRead(['triggers', 'times', id, version], ({ triggers }) => triggers.preview(id), {
    refetchInterval: REFRESH_MS,
  })
  if (!data) return null
  return (
    <section aria-label="Next times">
      <Title order={3} size="h5">
        Next times
      </Title>
      {data.times.length === 0 && <p className="item-note">It does not fire by itself now.</p>}
      <ul className="plain-list">
        {data.times.slice(0, SHOWN).map(time => (
          <li key={time}>
            {toAbsolute(time)}, <When time={time} />
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
