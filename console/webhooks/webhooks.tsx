import type { Item } from '@ganglion/client'
import { TextInput } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Box } from '../shared/parts/boxes.tsx'
import { ChangeButton, type ChangeButtonProps, Secret } from '../shared/parts/buttons.tsx'
import { ConfirmButton } from '../shared/parts/dialog.tsx'
import { Status, When } from '../shared/parts/inline.tsx'
import { ReadList } from '../shared/parts/read.tsx'
import { useRead } from '../shared/service/use-service.ts'
import { CreateForm } from '../access/create-form.tsx'

const route = getRouteApi('/settings')

/** The workspace's webhooks, and the deliveries of the selected webhook. */
export function Webhooks() {
  const { webhook: selectedId } = route.useSearch()
  const webhooks = useRead(['webhooks', 'list'], ganglion => ganglion.webhooks.list({ limit: 100 }))
  return (
    <>
      <CreateForm
        name="webhooks"
        send={(ganglion, { url = '', types = '' }) =>
          ganglion.webhooks.create({ url, event_types: types.split(/[\s,]+/) as never })
        }
        secret={{ label: 'Signing secret', of: ({ secret }) => secret }}
      >
        <TextInput name="url" type="url" label="Webhook URL" placeholder="https://example.com/hook" required />
        <TextInput
          name="types"
          label="Events"
          description="Such as job.*, resource.updated"
          required
          defaultValue="job.*"
        />
      </CreateForm>
      <ReadList
        query={webhooks}
        empty={['No webhooks', 'Add a webhook to receive events of the workspace.']}
        className="tiles tiles-wide settings-list"
        keyOf={({ id }) => id}
      >
        {webhook => <WebhookCard webhook={webhook} />}
      </ReadList>
      {selectedId !== undefined && <Deliveries key={selectedId} webhookId={selectedId} />}
    </>
  )
}

function WebhookCard({ webhook }: { webhook: Item<'webhooks.list'> }) {
  const { id, url, event_types, is_active, disabled_reason, failing_since } = webhook
  const [secret, setSecret] = useState<string>()
  const changes: Record<string, ChangeButtonProps['send']> = {
    Test: ({ webhooks }) => webhooks.test(id),
    [is_active ? 'Disable' : 'Enable']: ({ webhooks }) => webhooks.update(id, { is_active: !is_active }),
  }
  return (
    <div className="tile">
      <Link to="/settings" search={{ part: 'webhooks', webhook: id }} className="table-link">
        {url}
      </Link>
      <span className="item-note">{event_types.join(', ')}</span>
      <span className="item-note">
        <Status status={!is_active ? 'disabled' : failing_since ? 'failing' : 'ok'} />
        {!is_active && disabled_reason}
        {failing_since && (
          <>
            since <When time={failing_since} />
          </>
        )}
      </span>
      <Secret label="New secret. Deliveries are also signed with the old secret for another 24 hours" text={secret} />
      <div className="settings-row">
        {Object.entries(changes).map(([words, send]) => (
          <ChangeButton key={words} name="webhooks" label={`${words}: ${url}`} send={send}>
            {words}
          </ChangeButton>
        ))}
        <ConfirmButton
          name="webhooks"
          label={`New secret: ${url}`}
          words="New secret"
          action="Rotate secret"
          title="Rotate the secret of this webhook?"
          send={async ganglion => setSecret((await ganglion.webhooks.rotateSecret(id)).secret)}
        >
          Deliveries to {url} are signed with the new secret. For another 24 hours, they are also signed with the old
          secret.
        </ConfirmButton>
        <ConfirmButton
          name="webhooks"
          label={`Delete: ${url}`}
          words="Delete"
          action="Delete webhook"
          title="Delete this webhook?"
          send={({ webhooks }) => webhooks.delete(id)}
        >
          {url} will receive no more events. The webhook is deleted with its secret and its deliveries.
        </ConfirmButton>
      </div>
    </div>
  )
}

const REFRESH_MS = 5_000
const STATUSES = { pending: 'pending', succeeded: 'completed', failed: 'failed' }

/** The deliveries of a webhook, newest first, with their attempts. */
function Deliveries({ webhookId }: { webhookId: string }) {
  const deliveries = useRead(
    ['webhooks', 'deliveries', webhookId],
    ganglion => ganglion.webhooks.deliveries(webhookId, { limit: 50 }),
    { refetchInterval: REFRESH_MS },
  )
  return (
    <Box title="Deliveries">
      <ReadList query={deliveries} empty={['No deliveries yet']} className="plain-list" keyOf={({ id }) => id}>
        {({ id, event_type, status, attempt_log, next_attempt_at, created_at }) => (
          <>
            <div className="item-note">
              <Status status={STATUSES[status]} /> {event_type} <When time={created_at} />
              {next_attempt_at && (
                <>
                  , next attempt <When time={next_attempt_at} />
                </>
              )}
              {status !== 'pending' && (
                <ChangeButton name="webhooks" send={({ webhooks }) => webhooks.replay(webhookId, id)}>
                  Deliver again
                </ChangeButton>
              )}
            </div>
            <details>
              <summary>{attempt_log.length} attempts</summary>
              <ul className="plain-list">
                {attempt_log.map(({ at, status, latency_ms, error, response }) => (
                  <li key={at}>
                    <When time={at} />: {status ?? error?.code} in {latency_ms} ms {error?.message ?? response}
                  </li>
                ))}
              </ul>
            </details>
          </>
        )}
      </ReadList>
    </Box>
  )
}
