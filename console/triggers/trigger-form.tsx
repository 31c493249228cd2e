import type { Body, Schema } from '@ganglion/client'
import { JsonInput } from '@mantine/core'
import { useState } from 'react'
import { choice, text } from '../shared/forms/fields.ts'
import { type Fields, RequestForm } from '../shared/forms/request-form.tsx'
import { readOptionalJson } from '../shared/parts/json.ts'
import { useChange } from '../shared/service/use-service.ts'

type AutomationTrigger = Schema<'AutomationTrigger'>
type Type = NonNullable<AutomationTrigger['trigger_type']>

const texts = (title: string, description: string) => ({
  type: 'array' as const,
  title,
  description,
  items: { type: 'string' as const },
})
const SCHEMES = ['standard_webhooks', 'github', 'stripe', 'slack', 'hmac', 'none']

/** The form fields for each trigger type. The form covers the most common settings and keeps all others unchanged. */
const SETTINGS: Record<Type, Fields> = {
  schedule: {
    cron: texts('Schedule (cron)', 'Such as 30 8 * * MON-FRI'),
    time_zone: { ...text('Time zone', 'Such as Europe/Berlin'), default: 'UTC' },
  },
  event: {
    types: texts('Events', 'Such as job.failed or resource.*'),
    path: text('Folder', 'Limits the trigger to resources in this folder'),
  },
  webhook: {
    signature: {
      type: 'object',
      title: 'Request signature',
      properties: {
        scheme: { ...text('Scheme'), enum: SCHEMES, default: SCHEMES[0] },
        header: text('Header', 'For hmac'),
      },
    },
  },
  chat: { receptor: text('Gateway', "Limits the trigger to messages in this gateway's threads") },
  manual: {},
}

const buildSchema = (type: Type, isNew: boolean) => ({
  type: 'object' as const,
  required: ['title', 'target'],
  properties: {
    title: text('Title'),
    ...(isNew && { trigger_type: { ...text('Type'), enum: Object.keys(SETTINGS) } }),
    target: {
      type: 'object' as const,
      title: 'Target',
      required: ['type', 'ref'],
      properties: {
        type: choice('Kind', { pathway: 'Workflow', neuron: 'Agent', receptor: 'Gateway' }),
        ref: text('Slug, optionally with @version'),
      },
    },
    ...(Object.keys(SETTINGS[type]).length > 0 && {
      [type]: { type: 'object' as const, title: 'Conditions', properties: SETTINGS[type] as object },
    }),
    filter: text('Filter', 'Expression over event'),
  },
})

interface TriggerFormProps {
  /** The trigger to edit. Absent to create one. */
  trigger?: AutomationTrigger
  onSaved: (id: string) => void
}

/** Creates or edits a trigger. */
export default function TriggerForm({ trigger, onSaved }: TriggerFormProps) {
  const [value, setValue] = useState<Fields>(() => readFields(trigger))
  const [input, setInput] = useState(trigger?.input === undefined ? '' : JSON.stringify(trigger.input, null, 2))
  const runInput = readOptionalJson(input)
  const type = (value['trigger_type'] ?? 'schedule') as Type
  const save = useChange('triggers', (ganglion, value: Fields) => {
    // Settings of a previously selected type are dropped.
    const { title, trigger_type, target, filter, [type]: settings } = value
    const typeSettings = { [type]: mergeSettings(type, trigger, settings) }
    const fields = { title, trigger_type, target, filter, input: runInput.value, ...typeSettings }
    return trigger
      ? ganglion.triggers.update(trigger.id, buildChange(fields, trigger.version))
      : ganglion.triggers.create(fields as Body<'triggers.create'>)
  })
  return (
    <RequestForm
      schema={buildSchema(type, trigger === undefined)}
      value={value}
      onChange={setValue}
      onSubmit={value => save.mutate(value, { onSuccess: ({ id }) => onSaved(id) })}
      request={save}
      button={{
        size: 'xs',
        disabled: runInput.problem !== undefined,
        children: trigger ? 'Save trigger' : 'Create trigger',
      }}
    >
      <JsonInput
        label="Run input"
        description="JSON; may use ${event…}. Leave empty for the default input."
        value={input}
        onChange={setInput}
        error={runInput.problem}
      />
    </RequestForm>
  )
}

function readFields(trigger: AutomationTrigger | undefined): Fields {
  if (!trigger) return { trigger_type: 'schedule', schedule: { cron: ['30 8 * * MON-FRI'] } }
  const { title, trigger_type = 'manual', target, filter } = trigger
  const settings: Fields = { ...trigger[trigger_type] }
  const cron = settings['cron']
  const entries = Object.keys(SETTINGS[trigger_type]).map(name => [name, settings[name]])
  return {
    title,
    trigger_type,
    target,
    filter,
    [trigger_type]: { ...Object.fromEntries(entries), ...(typeof cron === 'string' && { cron: [cron] }) },
  }
}

/** Merges the form's settings with the settings that the form doesn't show. */
function mergeSettings(type: Type, trigger: AutomationTrigger | undefined, value: unknown): Fields {
  const fields = (value ?? {}) as Fields
  const entries = Object.keys(SETTINGS[type]).map(name => [name, isEmptyList(fields[name]) ? undefined : fields[name]])
  return { ...trigger?.[type], ...Object.fromEntries(entries) }
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** Empty form fields remove the value. */
const buildChange = (
  { trigger_type: _type, filter = null, input = null, ...fields }: Fields,
  expected_version: number,
) => ({ ...fields, filter, input, expected_version }) as Body<'triggers.update'>
