import type { Item } from '@ganglion/client'
import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { RowButton } from '../parts/row-button.tsx'
import { Status } from '../parts/status.tsx'
import { When } from '../parts/when.tsx'
import { useChange } from '../service/use-change.ts'
import { useSignedIn } from '../service/signed-in.tsx'
import { CreateForm } from './create-form.tsx'
import { Deliveries } from './deliveries.tsx'
import { Secret } from '../parts/secret.tsx'

const route = getRouteApi('/settings')
type Webhook = Item<'webhooks.list'>

/** Where events of the workspace are delivered, and the deliveries of the chosen one. */
export function Webhooks() {
  const { ganglion } = useSignedIn()
  const { webhook: chosen } = route.useSearch()
  const { data, error } = useQuery({
    queryKey: ['webhooks', 'list'],
    queryFn: async () => (await ganglion.webhooks.list({ limit: 100 })).data,
  })
  return (
    <>
      <CreateWebhook />
      {error && <Failure error={error} />}
      {data?.length === 0 && <Empty title="No webhooks">Events are delivered to no address.</Empty>}
      <ul className="tiles tiles-wide settings-list">
        {data?.map(webhook => (
          <li key={webhook.id} className="tile">
            <WebhookCard webhook={webhook} />
          </li>
        ))}
      </ul>
      {chosen !== undefined && <Deliveries key={chosen} webhookId={chosen} />}
    </>
  )
}

function CreateWebhook() {
  const [url, setUrl] = useState('')
  const [types, setTypes] = useState('job.*')
  const create = useChange('webhooks', (ganglion, event_types: string[]) =>
    ganglion.webhooks.create({ url: url.trim(), event_types: event_types as never }),
  )
  return (
    <CreateForm
      create={create}
      onSubmit={() =>
        create.mutate(
          types.split(/[\s,]+/).filter(type => type !== ''),
          { onSuccess: () => setUrl('') },
        )
      }
      secret={{ label: 'The secret of its signatures', text: create.data?.secret }}
    >
      <TextInput
        type="url"
        label="Address of a new webhook"
        placeholder="https://example.com/hook"
        required
        value={url}
        onChange={event => setUrl(event.currentTarget.value)}
      />
      <TextInput
        label="Events"
        description="Such as job.*, resource.updated"
        required
        value={types}
        onChange={event => setTypes(event.currentTarget.value)}
      />
    </CreateForm>
  )
}

function WebhookCard({ webhook }: { webhook: Webhook }) {
  const { id, url, event_types, is_active, disabled_reason, failing_since } = webhook
  const act = useChange('webhooks', (ganglion, action: 'switch' | 'test' | 'delete'): PromiseLike<unknown> => {
    if (action === 'test') return ganglion.webhooks.test(id)
    if (action === 'delete') return ganglion.webhooks.delete(id)
    return ganglion.webhooks.update(id, { is_active: !is_active })
  })
  const rotate = useChange('webhooks', ganglion => ganglion.webhooks.rotateSecret(id))
  const error = act.error ?? rotate.error
  return (
    <>
      <Link to="/settings" search={{ part: 'webhooks', webhook: id }} className="table-link">
        {url}
      </Link>
      <span className="item-note">{event_types.join(', ')}</span>
      <span className="item-note">
        <Status status={!is_active ? 'paused' : failing_since ? 'failing' : 'ok'} />
        {!is_active && disabled_reason}
        {failing_since && (
          <>
            since <When time={failing_since} />
          </>
        )}
      </span>
      <Secret label="The new secret; the old one signs beside it for a day" text={rotate.data?.secret} />
      {error && <Failure error={error} />}
      <div className="settings-row">
        <RowButton label={`Test: ${url}`} onClick={() => act.mutate('test')}>
          Test
        </RowButton>
        <RowButton label={`${is_active ? 'Switch off' : 'Switch on'}: ${url}`} onClick={() => act.mutate('switch')}>
          {is_active ? 'Switch off' : 'Switch on'}
        </RowButton>
        <RowButton label={`New secret: ${url}`} onClick={() => rotate.mutate()}>
          New secret
        </RowButton>
        <RowButton label={`Delete: ${url}`} onClick={() => act.mutate('delete')}>
          Delete
        </RowButton>
      </div>
    </>
  )
}
