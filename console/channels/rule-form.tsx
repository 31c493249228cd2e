import type { Item } from '@ganglion/client'
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ChangeButton } from '../shared/parts/buttons.tsx'
import { Form } from '../shared/parts/form.tsx'
import { isGroupName } from '../shared/parts/names.ts'
import { Failure, findProblem } from '../shared/parts/read.tsx'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useChange } from '../shared/service/use-service.ts'
import { CONVERSATIONS, type ChannelType } from './channel-types.ts'
import { EVENTS, GROUP_EVENTS, type NotifiedEvent } from './events.ts'

export type Rule = Item<'notificationRules.list'>

const NEVER = { value: 'never', label: 'Never' }
const WORKING = { value: 'working', label: 'In working hours' }
const ALWAYS = { value: 'always', label: 'Always' }

interface RuleFormProps {
  /** The member or group that is notified. */
  subject: string
  channel: string
  type: ChannelType
  rule: Rule | undefined
  calendars: string[]
  onSaved?: () => void
}

/** When a member or a group is notified in a channel. */
export function RuleForm({ subject, channel, type, rule, calendars, onSaved }: RuleFormProps) {
  const { session } = useSignedIn()
  const [calendar, setCalendar] = useState(rule?.calendar ?? '')
  const isGroup = isGroupName(subject)
  const names = isGroup ? GROUP_EVENTS : (Object.keys(EVENTS) as NotifiedEvent[])
  const conversation = isGroup ? CONVERSATIONS[type] : undefined
  const save = useChange(
    'notification-rules',
    ({ notificationRules }, fields: Record<string, string>) =>
      notificationRules.save({
        subject,
        channel,
        conversation: fields['conversation'],
        events: names.filter(event => fields[event] !== NEVER.value),
        urgent: calendar === '' ? [] : names.filter(event => fields[event] === ALWAYS.value),
        ...(!isGroup && { includes_groups: fields['includes_groups'] === 'on' }),
        digest: fields['digest'] === 'on',
        ...(calendar !== '' && { calendar }),
      }),
    onSaved,
  )
  return (
    <Form className="fields" aria-label={`Notifications in ${channel}`} onSubmit={fields => save.mutate(fields)}>
      {conversation && (
        <TextInput
          name="conversation"
          size="xs"
          required
          defaultValue={rule?.conversation ?? ''}
          error={findProblem(save.error, '/conversation')}
          {...conversation}
        />
      )}
      <NativeSelect
        size="xs"
        label="Working hours"
        value={calendar}
        onChange={event => setCalendar(event.currentTarget.value)}
        data={[{ value: '', label: 'At any time' }, ...calendars]}
      />
      {names.map(event => (
        <NativeSelect
          key={`${event} ${calendar === ''}`}
          name={event}
          size="xs"
          label={EVENTS[event]}
          defaultValue={chooseTime(rule, event, calendar)}
          data={calendar === '' ? [NEVER, ALWAYS] : [NEVER, WORKING, ALWAYS]}
        />
      ))}
      {!isGroup && (
        <Checkbox name="includes_groups" label="Include group tasks" defaultChecked={rule?.includes_groups ?? true} />
      )}
      <Checkbox
        name="digest"
        label="Send open tasks each working morning"
        defaultChecked={rule ? rule.digest_due_at !== null : false}
      />
      {save.error && <Failure error={save.error} />}
      <div className="settings-row">
        <Button type="submit" size="compact-sm" loading={save.isPending}>
          Save
        </Button>
        {rule && subject === session.actor && (
          <ChangeButton
            name="notification-rules"
            label={`Turn off notifications in ${channel}`}
            send={({ notificationRules }) => notificationRules.delete(subject, channel)}
          >
            Turn off
          </ChangeButton>
        )}
        {save.isSuccess && <span role="status">Saved</span>}
      </div>
    </Form>
  )
}

function chooseTime(rule: Rule | undefined, event: NotifiedEvent, calendar: string): string {
  if (rule?.events && !rule.events.includes(event)) return NEVER.value
  return calendar === '' || rule?.urgent.includes(event) ? ALWAYS.value : WORKING.value
}
