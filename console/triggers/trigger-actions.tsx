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

/** Fires, edits, pauses or resumes a trigger, depending on the person's permissions. */
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
            Resume
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
        label="Reason"
        required
        maxLength={500}
        defaultValue={`Paused by ${formatActor(session.actor)}`}
      />
      {pause.error && <Failure error={pause.error} />}
      <Button type="submit" size="xs" loading={pause.isPending}>
        Pause trigger
      </Button>
    </Form>
  )
}

/** Creates or rotates the URL and the secret of a webhook trigger. Previous ones stay valid for 24 hours. */
function Hook({ trigger: { id } }: TriggerProps) {
  const [hook, setHook] = useState<{ url?: string; secret?: string }>({})
  return (
    <>
      <Group gap="xs">
        <ConfirmButton
          name="triggers"
          words="New URL"
          action="Rotate URL"
          title="Rotate the URL of this trigger?"
          send={async ({ triggers }) => setHook({ ...hook, url: (await triggers.rotateToken(id)).url })}
        >
          You get a new URL. The old URL stops working after 24 hours.
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
          You get a new secret. Signatures with the old secret are rejected after 24 hours.
        </ConfirmButton>
      </Group>
      <Secret label="Webhook URL" text={hook.url} />
      <Secret label="Signing secret" text={hook.secret} />
    </>
  )
}

/** The input for a manual trigger. For other types, event fields to test the mapping. */
function FireForm({ trigger: { id, trigger_type } }: TriggerProps) {
  const field = trigger_type === 'manual' ? 'input' : 'event'
  const [text, setText] = useState('{}')
  const { value } = readJson(text)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const fire = useChange('triggers', ({ triggers }) => triggers.fire(id, { [field]: value }))
  return (
    <div className="answer">
      <JsonInput
        label={field === 'input' ? 'Input' : 'Event fields'}
        description="JSON object"
        value={text}
        onChange={setText}
        error={!isObject && 'Enter a JSON object.'}
      />
      {fire.error && <Failure error={fire.error} />}
      {fire.data && (
        <Text size="sm" role="status">
          {replaceUnderscores(fire.data.decision)}
          {fire.data.reason && `: ${fire.data.reason}`}{' '}
          {fire.data.job_id && <RunLink jobId={fire.data.job_id}>Show run</RunLink>}
        </Text>
      )}
      <Button size="xs" loading={fire.isPending} disabled={!isObject} onClick={() => fire.mutate()}>
        Fire trigger
      </Button>
    </div>
  )
}
