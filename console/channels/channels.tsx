import { CopyText } from '../shared/parts/buttons.tsx'
import { ConfirmButton, FormButton } from '../shared/parts/dialog.tsx'
import { Status, When } from '../shared/parts/inline.tsx'
import { showLater } from '../shared/parts/loading.tsx'
import { ReadList } from '../shared/parts/read.tsx'
import { useRead } from '../shared/service/use-service.ts'
import { type Channel, describeContact, LABELS } from './channel-types.ts'

const ChannelForm = showLater(() => import('./channel-form.tsx'))

/** The connections of the workspace to messaging services. */
export function Channels() {
  const channels = useRead(['channels'], ganglion => ganglion.channels.list({ limit: 100 }))
  return (
    <>
      <div className="pane settings-form">
        <ChannelForm />
      </div>
      <ReadList
        query={channels}
        empty={['No channels', 'Connect a channel so that people can be notified and answer outside the console.']}
        className="tiles tiles-wide settings-list"
        keyOf={({ name }) => name}
      >
        {channel => <ChannelCard channel={channel} />}
      </ReadList>
    </>
  )
}

function describePlace(channel: Channel): string {
  if (channel.type === 'slack') return channel.team
  if (channel.type === 'teams') return channel.host
  return channel.type === 'email' ? channel.from : describeContact(channel.contact)
}

function ChannelCard({ channel }: { channel: Channel }) {
  const { name, type, status, failing_since, failure, last_event_at, receptors } = channel
  return (
    <div className="tile">
      <span className="item-title">{name}</span>
      <span className="item-note">
        {LABELS[type]}, {describePlace(channel)}
      </span>
      <span className="item-note">
        <Status status={status} />
        {failing_since && (
          <>
            since <When time={failing_since} />: {failure}
          </>
        )}
      </span>
      <span className="item-note">Last event: {last_event_at ? <When time={last_event_at} /> : 'none'}</span>
      {receptors.length > 0 && (
        <span className="item-note">Gateways: {receptors.map(describeReceptor).join(', ')}</span>
      )}
      {'request_url' in channel && (
        <span className="item-note">
          <code className="detail-text">{channel.request_url}</code>{' '}
          <CopyText text={channel.request_url} label={`Copy request URL of ${name}`} />
        </span>
      )}
      <div className="settings-row">
        <FormButton label="Change" name={`Change ${name}`} title={`Change ${name}`}>
          {close => <ChannelForm channel={channel} onSaved={close} />}
        </FormButton>
        <ConfirmButton
          name="channels"
          label={`Delete ${name}`}
          words="Delete"
          action="Delete channel"
          title="Delete this channel?"
          send={({ channels }) => channels.delete(name)}
        >
          The channel {name} is deleted with its linked accounts, notification rules and log.
        </ConfirmButton>
      </div>
    </div>
  )
}

const describeReceptor = ({ slug, senders }: Channel['receptors'][number]) =>
  senders === 'anyone' ? `${slug} (answers anyone)` : slug
