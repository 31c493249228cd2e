import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { ConfirmButton, FormButton } from '../shared/parts/dialog.tsx'
import { isGroupName } from '../shared/parts/names.ts'
import { Read, ReadList } from '../shared/parts/read.tsx'
import { useRead, useReadPages } from '../shared/service/use-service.ts'
import type { Channel } from './channel-types.ts'
import { EVENTS } from './events.ts'
import { type Rule, RuleForm } from './rule-form.tsx'

/** The objects that notification rules refer to. */
interface Choices {
  /** Groups and members. */
  subjects: { group: string; items: string[] }[]
  channels: Channel[]
  /** Names of working calendars. */
  calendars: string[]
}

/** The notification rules of groups and members. */
export function NotificationRules() {
  const rules = useReadPages(['notification-rules', 'list'], ({ notificationRules }, page) =>
    notificationRules.list(page),
  )
  const choices = useRead(['channels', 'choices'], async (ganglion): Promise<Choices> => {
    const [members, channels, calendars] = await Promise.all([
      ganglion.members.list({ limit: 200 }),
      ganglion.channels.list({ limit: 100 }),
      ganglion.calendars.list(),
    ])
    const groups = new Set(members.data.flatMap(({ groups }) => groups))
    return {
      subjects: [
        { group: 'Groups', items: [...groups].toSorted() },
        { group: 'Members', items: members.data.map(({ actor }) => actor) },
      ],
      channels: channels.data,
      calendars: calendars.data.map(({ name }) => name),
    }
  })
  return (
    <Read query={choices}>
      {choices => (
        <>
          <div className="settings-row settings-list">
            <FormButton label="Add rule" title="Add rule">
              {close => <NewRule choices={choices} onSaved={close} />}
            </FormButton>
          </div>
          <ReadList
            query={rules}
            empty={['No notification rules', 'Add a rule to send the tasks of a group or a member to a channel.']}
            className="tiles tiles-wide settings-list"
            keyOf={({ subject, channel }) => `${subject} ${channel}`}
          >
            {rule => <RuleCard rule={rule} choices={choices} />}
          </ReadList>
        </>
      )}
    </Read>
  )
}

interface NewRuleProps {
  choices: Choices
  onSaved: () => void
}

/** A form for a rule of any subject and channel. If the rule exists, the form changes it. */
function NewRule({ choices: { subjects, channels, calendars }, onSaved }: NewRuleProps) {
  const [subject, setSubject] = useState('')
  const [channelName, setChannelName] = useState('')
  // Groups have no browsers.
  const possible = isGroupName(subject) ? channels.filter(({ type }) => type !== 'web_push') : channels
  const channel = possible.find(({ name }) => name === channelName)
  const rules = useRead(
    ['notification-rules', 'subject', subject],
    ({ notificationRules }) => notificationRules.list({ subject, limit: 100 }),
    { enabled: subject !== '' },
  )
  return (
    <div className="fields">
      <NativeSelect
        size="xs"
        label="Group or member"
        value={subject}
        onChange={event => setSubject(event.currentTarget.value)}
        data={[CHOOSE, ...subjects]}
      />
      <NativeSelect
        size="xs"
        label="Channel"
        value={channelName}
        onChange={event => setChannelName(event.currentTarget.value)}
        data={[CHOOSE, ...possible.map(({ name }) => name)]}
      />
      {channel && (
        <Read query={rules}>
          {({ data }) => (
            <RuleForm
              key={`${subject} ${channelName}`}
              subject={subject}
              channel={channelName}
              type={channel.type}
              rule={data.find(({ channel }) => channel === channelName)}
              calendars={calendars}
              onSaved={onSaved}
            />
          )}
        </Read>
      )}
    </div>
  )
}

const CHOOSE = { value: '', label: 'Choose…' }

function RuleCard({ rule, choices }: { rule: Rule; choices: Choices }) {
  const { subject, channel, conversation, events, calendar, digest_due_at } = rule
  const type = choices.channels.find(({ name }) => name === channel)?.type
  const title = `${subject} in ${channel}`
  return (
    <div className="tile">
      <span className="item-title">{subject}</span>
      <span className="item-note">
        {channel}
        {conversation !== null && `, ${conversation}`}
      </span>
      <span className="item-note">
        {events === null ? 'All events' : events.map(event => EVENTS[event]).join(', ') || 'No events'}
      </span>
      <span className="item-note">Working hours: {calendar ?? 'at any time'}</span>
      {digest_due_at !== null && <span className="item-note">Open tasks each working morning</span>}
      <div className="settings-row">
        {type && (
          <FormButton label="Change" name={`Change ${title}`} title={title}>
            {close => (
              <RuleForm
                subject={subject}
                channel={channel}
                type={type}
                rule={rule}
                calendars={choices.calendars}
                onSaved={close}
              />
            )}
          </FormButton>
        )}
        <ConfirmButton
          name="notification-rules"
          label={`Delete ${title}`}
          words="Delete"
          action="Delete rule"
          title="Delete this rule?"
          send={({ notificationRules }) => notificationRules.delete(subject, channel)}
        >
          {subject} no longer receives notifications in {channel}.
        </ConfirmButton>
      </div>
    </div>
  )
}
