import type { Item, Schema } from '@ganglion/client'
import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { ActionButton, ChangeButton, CopyText } from '../shared/parts/buttons.tsx'
import { Form } from '../shared/parts/form.tsx'
import { Failure, ReadList } from '../shared/parts/read.tsx'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useChange, useRead } from '../shared/service/use-service.ts'
import { EVENTS } from './events.ts'

type Account = Schema<'ChannelAccounts'>['data'][number]
type Rule = Item<'notificationRules.list'>
type NotifiedEvent = keyof typeof EVENTS

const NEVER = { value: 'never', label: 'Never' }
const WORKING = { value: 'working', label: 'In working hours' }
const ALWAYS = { value: 'always', label: 'Always' }

/** The channels of the workspace, with the person's linked accounts and notification rules. */
export function MyChannels() {
  const { session } = useSignedIn()
  const channels = useRead(['channel-accounts'], ganglion => ganglion.channelAccounts.list())
  const rules = useRead(['notification-rules'], ({ notificationRules }) =>
    notificationRules.list({ subject: session.actor, limit: 100 }),
  )
  const calendars = useRead(['calendars'], ganglion => ganglion.calendars.list())
  return (
    <ReadList
      query={channels}
      empty={['No channels', 'An administrator can connect channels, such as Slack.']}
      className="tiles tiles-wide settings-list"
      keyOf={({ channel }) => channel}
    >
      {account => (
        <div className="tile">
          <span className="item-title">{account.channel}</span>
          {account.type !== 'teams' && <AccountLink account={account} />}
          {rules.data && calendars.data && (
            <RuleForm
              channel={account.channel}
              rule={rules.data.data.find(({ channel }) => channel === account.channel)}
              calendars={calendars.data.data.map(({ name }) => name)}
            />
          )}
        </div>
      )}
    </ReadList>
  )
}

/** Whether the person's account is linked, and the code that links it. */
function AccountLink({ account: { channel, external_id } }: { account: Account }) {
  const link = useChange('channel-accounts', ({ channelAccounts }) => channelAccounts.createCode(channel))
  if (external_id !== null)
    return (
      <span className="item-note">
        Linked to {external_id}
        <ChangeButton
          name="channel-accounts"
          label={`Unlink ${channel}`}
          send={({ channelAccounts }) => channelAccounts.delete(channel)}
        >
          Unlink
        </ChangeButton>
      </span>
    )
  return (
    <>
      <span className="item-note">
        Not linked
        <ActionButton label={`Link account: ${channel}`} loading={link.isPending} onClick={() => link.mutate()}>
          Link account
        </ActionButton>
      </span>
      {link.error && <Failure error={link.error} />}
      {link.data && (
        <div className="secret" role="status">
          <span>{link.data.instructions}</span>
          <CopyText text={`link ${link.data.code}`} label="Copy" />
        </div>
      )}
    </>
  )
}

interface RuleFormProps {
  channel: string
  rule: Rule | undefined
  calendars: string[]
}

/** When the person is notified in a channel. */
function RuleForm({ channel, rule, calendars }: RuleFormProps) {
  const { session } = useSignedIn()
  const [calendar, setCalendar] = useState(rule?.calendar ?? '')
  const save = useChange('notification-rules', ({ notificationRules }, fields: Record<string, string>) => {
    const isOn = (event: NotifiedEvent) => fields[event] !== NEVER.value
    const names = Object.keys(EVENTS) as NotifiedEvent[]
    return notificationRules.save({
      subject: session.actor,
      channel,
      events: names.filter(isOn),
      urgent: calendar === '' ? [] : names.filter(event => fields[event] === ALWAYS.value),
      includes_groups: fields['includes_groups'] === 'on',
      digest: fields['digest'] === 'on',
      ...(calendar !== '' && { calendar }),
    })
  })
  return (
    <Form className="fields" aria-label={`Notifications in ${channel}`} onSubmit={fields => save.mutate(fields)}>
      <NativeSelect
        size="xs"
        label="Working hours"
        value={calendar}
        onChange={event => setCalendar(event.currentTarget.value)}
        data={[{ value: '', label: 'At any time' }, ...calendars]}
      />
      {Object.entries(EVENTS).map(([event, label]) => (
        <NativeSelect
          key={`${event} ${calendar === ''}`}
          name={event}
          size="xs"
          label={label}
          defaultValue={chooseTime(rule, event as NotifiedEvent, calendar)}
          data={calendar === '' ? [NEVER, ALWAYS] : [NEVER, WORKING, ALWAYS]}
        />
      ))}
      <Checkbox
        name="includes_groups"
        label="Include tasks of my groups"
        defaultChecked={rule?.includes_groups ?? true}
      />
      <Checkbox
        name="digest"
        label="Send my open tasks each working morning"
        defaultChecked={rule ? rule.digest_due_at !== null : false}
      />
      {save.error && <Failure error={save.error} />}
      <div className="settings-row">
        <Button type="submit" size="compact-sm" loading={save.isPending}>
          Save
        </Button>
        {rule && (
          <ChangeButton
            name="notification-rules"
            label={`Turn off notifications in ${channel}`}
            send={({ notificationRules }) => notificationRules.delete(session.actor, channel)}
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
