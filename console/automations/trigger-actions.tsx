import { Button, Group, JsonInput, Text, TextInput } from '@mantine/core'
import { IconBolt, IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { ActionButton } from '../parts/action-button.tsx'
import { Failure } from '../parts/failure.tsx'
import { readJson } from '../parts/json.ts'
import { Loading } from '../parts/loading.tsx'
import { toName, toSpaced } from '../parts/names.ts'
import { useSignedIn } from '../service/signed-in.tsx'
import { useChange } from '../service/use-change.ts'
import { Hook } from './hook.tsx'
import type { AutomationTrigger } from './queries.ts'

const TriggerForm = lazy(() => import('./trigger-form.tsx'))

/** Fires a trigger, pauses it with the reason, and lets it go on, as far as the person may. */
export function TriggerActions({ trigger }: { trigger: AutomationTrigger }) {
  const { can } = useSignedIn()
  const [open, setOpen] = useState<'fire' | 'pause' | 'edit'>()
  const close = () => setOpen(undefined)
  const change = useChange('triggers', (ganglion, fields: { paused: boolean; pause_note?: string }) =>
    ganglion.triggers.update(trigger.id, { ...fields, expected_version: trigger.version }),
  )
  const toggle = (name: 'fire' | 'pause' | 'edit') => setOpen(open === name ? undefined : name)
  const isPaused = trigger.paused === true
  return (
    <>
      <Group gap="xs">
        {can('jobs:start') && (
          <ActionButton icon={IconBolt} isOpen={open === 'fire'} onClick={() => toggle('fire')}>
            Fire…
          </ActionButton>
        )}
        {can('resources:write') && (
          <ActionButton icon={IconPencil} isOpen={open === 'edit'} onClick={() => toggle('edit')}>
            Edit…
          </ActionButton>
        )}
        {can('resources:write') && !isPaused && (
          <ActionButton icon={IconPlayerPause} isOpen={open === 'pause'} onClick={() => toggle('pause')}>
            Pause…
          </ActionButton>
        )}
        {can('resources:write') && isPaused && (
          <ActionButton
            icon={IconPlayerPlay}
            loading={change.isPending}
            onClick={() => change.mutate({ paused: false }, { onSuccess: close })}
          >
            Go on
          </ActionButton>
        )}
      </Group>
      {change.error && <Failure error={change.error} />}
      {open === 'pause' && (
        <PauseForm
          isPending={change.isPending}
          onPause={pause_note => change.mutate({ paused: true, pause_note }, { onSuccess: close })}
        />
      )}
      {open === 'edit' && (
        <Suspense fallback={<Loading />}>
          <TriggerForm key={trigger.version} trigger={trigger} onSaved={close} />
        </Suspense>
      )}
      {trigger.trigger_type === 'webhook' && can('resources:write') && <Hook triggerId={trigger.id} />}
      {open === 'fire' && <FireForm trigger={trigger} />}
    </>
  )
}

function PauseForm({ isPending, onPause }: { isPending: boolean; onPause: (note: string) => void }) {
  const { session } = useSignedIn()
  const [note, setNote] = useState(`Paused by ${toName(session.actor)}`)
  return (
    <form
      className="answer"
      onSubmit={event => {
        event.preventDefault()
        onPause(note.trim())
      }}
    >
      <TextInput
        label="Why"
        required
        maxLength={500}
        value={note}
        onChange={event => setNote(event.currentTarget.value)}
      />
      <Group>
        <Button type="submit" size="xs" loading={isPending}>
          Pause the trigger
        </Button>
      </Group>
    </form>
  )
}

/** The input of a trigger that people fire; of another type, the fields of an event to try its mapping with. */
function FireForm({ trigger: { id, trigger_type } }: { trigger: AutomationTrigger }) {
  const field = trigger_type === 'manual' ? 'input' : 'event'
  const [text, setText] = useState('{}')
  const { value } = readJson(text)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const fire = useChange('triggers', ganglion => ganglion.triggers.fire(id, { [field]: value }))
  return (
    <div className="answer">
      <JsonInput
        label={field === 'input' ? 'Input' : 'Fields of the event'}
        description="As JSON"
        autosize
        minRows={3}
        maxRows={12}
        value={text}
        onChange={setText}
        error={!isObject && 'This is no object in JSON.'}
      />
      {fire.error && <Failure error={fire.error} />}
      {fire.data && (
        <Text size="sm" role="status">
          {toSpaced(fire.data.decision)}
          {fire.data.reason && `: ${fire.data.reason}`}{' '}
          {fire.data.job_id && (
            <Link to="/runs/$jobId" params={{ jobId: fire.data.job_id }} className="table-link">
              Its run
            </Link>
          )}
        </Text>
      )}
      <Group>
        <Button size="xs" loading={fire.isPending} disabled={!isObject} onClick={() => fire.mutate()}>
          Fire the trigger
        </Button>
      </Group>
    </div>
  )
}
