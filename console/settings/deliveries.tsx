import type { Item } from '@ganglion/client'
import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { RowButton } from '../parts/row-button.tsx'
import { Status } from '../parts/status.tsx'
import { When } from '../parts/when.tsx'
import { useChange } from '../service/use-change.ts'
import { useSignedIn } from '../service/signed-in.tsx'

const REFRESH_MS = 5_000
const STATUSES = { pending: 'pending', succeeded: 'completed', failed: 'failed' }

/** The deliveries of a webhook, latest first, with their attempts. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const { ganglion } = useSignedIn()
  const { data, error } = useQuery({
    queryKey: ['webhooks', 'deliveries', webhookId],
    queryFn: async () => (await ganglion.webhooks.deliveries(webhookId, { limit: 50 })).data,
    refetchInterval: REFRESH_MS,
  })
  return (
    <section className="pane run-box settings-list" aria-label="Deliveries">
      <Title order={2} size="h5" mb="sm">
        Deliveries
      </Title>
      {error && <Failure error={error} />}
      {data?.length === 0 && <Empty title="Nothing was delivered yet" />}
      <ul className="plain-list">
        {data?.map(delivery => (
          <li key={delivery.id}>
            <DeliveryRow delivery={delivery} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function DeliveryRow({ delivery }: { delivery: Item<'webhooks.deliveries'> }) {
  const { id, webhook_id, event_type, status, attempt_log, next_attempt_at, created_at } = delivery
  const replay = useChange('webhooks', ganglion => ganglion.webhooks.replay(webhook_id, id))
  return (
    <>
      <span className="item-note">
        <Status status={STATUSES[status]} /> {event_type} <When time={created_at} />
        {next_attempt_at && (
          <>
            , next attempt <When time={next_attempt_at} />
          </>
        )}
        {status !== 'pending' && (
          <RowButton loading={replay.isPending} onClick={() => replay.mutate()}>
            Deliver again
          </RowButton>
        )}
      </span>
      {replay.error && <Failure error={replay.error} />}
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
  )
}
