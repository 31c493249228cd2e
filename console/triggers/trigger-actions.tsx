import type { Schema } from '@ganglion/client'
import { Button, Group, JsonInput, Text, TextInput } from '@mantine/core'
import { IconBolt, IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton, ChangeButton, Secret } from '../shared/parts/buttons.tsx'
import { ConfirmButton } from '../shared/parts/dialog.tsx'
import { Form } from '../shared/parts/form.tsx'
import { RunLink } from '../shared/parts/inline.tsx'
import { readJson } from '../shared/parts/json.ts'
import { showLater } from '../shared/parts/loading.tsx'
import { formatActor, replaceUnderscores } from '../shared/parts/names.ts'
import { Failure } from '../shared/parts/read.tsx'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useChange } from '../shared/service/use-service.ts'

const TriggerForm = showLater(() => import('./trigger-form.tsx'))

interface TriggerProps {
  trigger: Schema<'AutomationTrigger'>
}

/** Fires a trigger, pauses it with the reason, and lets it go on, as far as the person may. */
export function TriggerActions({ trigger }: TriggerProps) {
  const { can } = useSignedIn()
  const [open, setOpen] = useState<string>()
  const close = () => setOpen(undefined)
  const { id, version, paused, trigger_type } = trigger
  const mayWrite = can('resources:write')
  const ways = [
    { name: 'Fire', icon: IconBolt, isOffered: can('jobs:start') },
    { name: 'Edit', icon: IconPencil, isOffered: mayWrite },
    { name: 'Pause', icon: IconPlayerPause, isOffered: mayWrite && paused !== true },
  ]
  return (
    <>
      <Group gap="xs">
        {ways
          .filter(({ isOffered }) => isOffered)
          .map(({ name, icon }) => (
            <ActionButton
              key={name}
              icon={icon}
              isOpen={open === name}
              onClick={() => setOpen(open === name ? undefined : name)}
            >
              {name}…
            </ActionButton>
          ))}
        {mayWrite && paused === true && (
          <ChangeButton
            name="triggers"
            icon={IconPlayerPlay}
            send={({ triggers }) => triggers.update(id, { paused: false, expected_version: version })}
            onDone={close}
          >
            Go on
          </ChangeButton>
        )}
      </Group>
      {open === 'Pause' && <PauseForm trigger={trigger} onPaused={close} />}
      {open === 'Edit' && <TriggerForm key={version} trigger={trigger} onSaved={close} />}
      {trigger_type === 'webhook' && mayWrite && <Hook trigger={trigger} />}
      {open === 'Fire' && <FireForm trigger={trigger} />}
    </>
  )
}

function PauseForm({ trigger: { id, version }, onPaused }: TriggerProps & { onPaused: () => void }) {
  const { session } = useSignedIn()
  const pause = useChange(
    'triggers',
    ({ triggers }, pause_note: string | undefined) =>
      triggers.update(id, { paused: true, pause_note, expected_version: version }),
    onPaused,
  )
  return (
    <Form className="answer" onSubmit={({ note }) => pause.mutate(note)}>
      <TextInput
        name="note"
        label="Why"
        required
        maxLength={500}
        defaultValue={`Paused by ${formatActor(session.actor)}`}
      />
      {pause.error && <Failure error={pause.error} />}
      <Button type="submit" size="xs" loading={pause.isPending}>
        Pause the trigger
      </Button>
    </Form>
  )
}

/** Makes the address and the secret of a hook, also again: those before stay valid for a day. */
function Hook({ trigger: { id } }: TriggerProps) {
  const [hook, setHook] = useState<{ url?: string; secret?: string }>({})
  return (
    <>
      <Group gap="xs">
        <ConfirmButton
          name="triggers"
          words="New address"
          action="Rotate address"
          title="Rotate the address of this trigger?"
          send={async ({ triggers }) => setHook({ ...hook, url: (await triggers.rotateToken(id)).url })}
        >
          You get a new address. An old one stops working after 24 hours.
        </ConfirmButton>
        <ConfirmButton
          name="triggers"
          words="New secret"
          action="Rotate secret"
          title="Rotate the secret of this trigger?"
          send={async ({ triggers }) =>
            setHook({ ...hook, secret: (await triggers.rotateSecret(id)).secret ?? undefined })
          }
        >
          You get a new secret. Signatures with an old one are refused after 24 hours.
        </ConfirmButton>
      </Group>
      <Secret label="The address that takes requests" text={hook.url} />
      <Secret label="The secret of its signatures" text={hook.secret} />
    </>
  )
}

/** The input of a trigger that people fire; of another type, the fields of an event to try its mapping with. */
function FireForm({ trigger: { id, trigger_type } }: TriggerProps) {
  const field = trigger_type === 'manual' ? 'input' : 'event'
  const [text, setText] = useState('{}')
  const { value } = readJson(text)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const fire = useChange('triggers', ({ triggers }) => triggers.fire(id, { [field]: value }))
  return (
    <div className="answer">
      <JsonInput
        label={field === 'input' ? 'Input' : 'Fields of the event'}
        description="As JSON"
        value={text}
        onChange={setText}
        error={!isObject && 'This is no object in JSON.'}
      />
      {fire.error && <Failure error={fire.error} />}
      {fire.data && (
        <Text size="sm" role="status">
          {replaceUnderscores(fire.data.decision)}
          {fire.data.reason && `: ${fire.data.reason}`}{' '}
          {fire.data.job_id && <RunLink jobId={fire.data.job_id}>Its run</RunLink>}
        </Text>
      )}
      <Button size="xs" loading={fire.isPending} disabled={!isObject} onClick={() => fire.mutate()}>
        Fire the trigger
      </Button>
    </div>
  )
}
