import type { Body } from '@ganglion/client'
import type { RJSFSchema } from '@rjsf/utils'
import { useState } from 'react'
import { choice, text } from '../shared/forms/fields.ts'
import { type Fields, RequestForm } from '../shared/forms/request-form.tsx'
import { useChange } from '../shared/service/use-service.ts'
import { type Channel, type ChannelType, describeContact, FIELDS, isAddress, LABELS } from './channel-types.ts'

interface ChannelFormProps {
  /** The channel whose settings and credentials are replaced. Absent to connect one. */
  channel?: Channel
  onSaved?: () => void
}

/** Connects a channel, or replaces its settings and credentials. */
export default function ChannelForm({ channel, onSaved }: ChannelFormProps) {
  const [value, setValue] = useState(() => readFields(channel))
  const type = channel?.type ?? readType(value)
  const save = useChange(
    'channels',
    ({ channels }, { receives: _receives, ...fields }: Fields) =>
      channels.save({ name: channel?.name, type, ...fields } as Body<'channels.save'>),
    () => {
      setValue(readFields(channel))
      onSaved?.()
    },
  )
  const change = (fields: Fields) => {
    const isSameType = channel !== undefined || readType(fields) === type
    setValue(isSameType ? fields : { type: fields['type'], name: fields['name'] })
  }
  return (
    <RequestForm
      schema={buildSchema(type, channel === undefined)}
      value={value}
      onChange={change}
      onSubmit={fields => save.mutate(fields)}
      request={save}
      button={{ children: channel ? 'Save' : 'Connect' }}
    />
  )
}

const readType = ({ type }: Fields) => (type ?? 'slack') as ChannelType

function buildSchema(type: ChannelType, isNew: boolean): RJSFSchema {
  const { required = [], properties, ...conditions } = FIELDS[type]
  const identity = {
    type: choice('Service', LABELS),
    name: text('Channel name', 'Lowercase letters, digits and hyphens, such as support'),
  }
  return {
    ...conditions,
    type: 'object',
    required: isNew ? [...Object.keys(identity), ...required] : required,
    properties: isNew ? { ...identity, ...properties } : properties,
  }
}

/** Returns the settings of a channel. The service doesn't return credentials. */
function readFields(channel: Channel | undefined): Fields {
  if (channel?.type === 'web_push' && isAddress(channel.contact)) return { contact: describeContact(channel.contact) }
  if (channel?.type !== 'email') return {}
  const { from, smtp, imap } = channel
  const { user, ...server } = smtp
  return { from, smtp: { ...server, ...(user !== null && { user }) }, ...(imap && { receives: true, imap }) }
}
