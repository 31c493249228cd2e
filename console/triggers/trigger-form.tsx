import type { Body, Schema } from '@ganglion/client'
import { Button, JsonInput } from '@mantine/core'
import { useRef, useState } from 'react'
import JsonForm from '../shared/forms/json-form.tsx'
import { readOptionalJson } from '../shared/parts/json.ts'
import { Failure } from '../shared/parts/read.tsx'
import { useChange } from '../shared/service/use-service.ts'

type AutomationTrigger = Schema<'AutomationTrigger'>
type Type = NonNullable<AutomationTrigger['trigger_type']>
type Fields = Record<string, unknown>

const text = (title: string, description?: string) => ({ type: 'string' as const, title, description })
const texts = (title: string, description: string) => ({
  type: 'array' as const,
  title,
  description,
  items: { type: 'string' as const },
})
const SCHEMES = ['standard_webhooks', 'github', 'stripe', 'slack', 'hmac', 'none']

/** What the form asks for of each type, which is what most triggers need. Other settings stay as they are. */
const SETTINGS: Record<Type, Fields> = {
  schedule: {
    cron: texts('Times, as cron', 'Such as 30 8 * * MON-FRI'),
    time_zone: { ...text('Time zone', 'Such as Europe/Berlin'), default: 'UTC' },
  },
  event: {
    types: texts('Events', 'Such as job.failed or resource.*'),
    path: text('Folder', 'Only of resources in it'),
  },
  webhook: {
    signature: {
      type: 'object',
      title: 'Signature of requests',
      properties: {
        scheme: { ...text('Scheme'), enum: SCHEMES, default: SCHEMES[0] },
        header: text('Header', 'For hmac'),
      },
    },
  },
  chat: { receptor: text('Receptor', 'Only messages of its threads') },
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
      title: 'What it starts',
      required: ['type', 'ref'],
      properties: {
        type: { ...text('Kind'), enum: ['pathway', 'neuron', 'receptor'], default: 'pathway' },
        ref: text('Slug, with @ and a version to stay at it'),
      },
    },
    ...(Object.keys(SETTINGS[type]).length > 0 && {
      [type]: { type: 'object' as const, title: 'When', properties: SETTINGS[type] as object },
    }),
    filter: text('Filter', 'An expression over event'),
  },
})

interface TriggerFormProps {
  /** What is changed; without it, a trigger is made. */
  trigger?: AutomationTrigger
  onSaved: (id: string) => void
}

/** Makes a trigger, or changes one. */
export default function TriggerForm({ trigger, onSaved }: TriggerFormProps) {
  const [value, setValue] = useState<Fields>(() => readFields(trigger))
  const [input, setInput] = useState(trigger?.input === undefined ? '' : JSON.stringify(trigger.input, null, 2))
  const runInput = readOptionalJson(input)
  const submit = useRef<HTMLButtonElement>(null)
  const type = (value['trigger_type'] ?? 'schedule') as Type
  const save = useChange('triggers', (ganglion, value: Fields) => {
    // Settings of a type that was chosen before are left out.
    const { title, trigger_type, target, filter, [type]: settings } = value
    const typeSettings = { [type]: mergeSettings(type, trigger, settings) }
    const fields = { title, trigger_type, target, filter, input: runInput.value, ...typeSettings }
    return trigger
      ? ganglion.triggers.update(trigger.id, buildChange(fields, trigger.version))
      : ganglion.triggers.create(fields as Body<'triggers.create'>)
  })
  return (
    <div className="fields">
      <JsonForm
        schema={buildSchema(type, trigger === undefined)}
        value={value}
        onChange={value => setValue(value as Fields)}
        onSubmit={value => save.mutate(value as Fields, { onSuccess: ({ id }) => onSaved(id) })}
        error={save.error}
        fieldAt={/^\/(.*)$/}
        submitRef={submit}
      />
      <JsonInput
        label="Input of its runs"
        description="As JSON, with expressions over event; the usual one of the type without it"
        value={input}
        onChange={setInput}
        error={runInput.problem}
      />
      {save.error && <Failure error={save.error} />}
      <Button
        size="xs"
        loading={save.isPending}
        disabled={runInput.problem !== undefined}
        onClick={() => submit.current?.click()}
      >
        {trigger ? 'Save the trigger' : 'Make the trigger'}
      </Button>
    </div>
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

/** The settings of a type: what the form has, and what it does not ask for. */
function mergeSettings(type: Type, trigger: AutomationTrigger | undefined, value: unknown): Fields {
  const fields = (value ?? {}) as Fields
  const entries = Object.keys(SETTINGS[type]).map(name => [name, isEmptyList(fields[name]) ? undefined : fields[name]])
  return { ...trigger?.[type], ...Object.fromEntries(entries) }
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** What is empty in the form is taken away. */
const buildChange = (
  { trigger_type: _type, filter = null, input = null, ...fields }: Fields,
  expected_version: number,
) => ({ ...fields, filter, input, expected_version }) as Body<'triggers.update'>
