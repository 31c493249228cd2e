import type { Schema } from '@ganglion/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChangeButton } from '../shared/parts/buttons.tsx'
import { type PushState, readPushState, subscribe, unsubscribe } from '../shared/service/push.ts'

type Account = Schema<'ChannelAccounts'>['data'][number]

const TEXTS: Record<PushState, string> = {
  on: 'On in this browser',
  off: 'Off in this browser',
  blocked: 'Blocked by the browser. Allow notifications for this site in the browser settings.',
  unsupported: 'Not supported by this browser',
}

/** Whether this browser shows the person's notifications. */
export function BrowserPush({ account: { channel, public_key, push_subscriptions } }: { account: Account }) {
  const publicKey = public_key ?? ''
  const queryClient = useQueryClient()
  const { data: state } = useQuery({
    queryKey: ['channel-accounts', 'push', publicKey, push_subscriptions],
    queryFn: () => readPushState(publicKey, push_subscriptions),
  })
  if (!state) return null
  return (
    <span className="item-note">
      <span role="status">{TEXTS[state]}</span>
      {state === 'off' && (
        <ChangeButton
          name="channel-accounts"
          label={`Turn on ${channel} in this browser`}
          send={async ({ pushSubscriptions }) => {
            const subscription = await subscribe(publicKey)
            if (subscription) await pushSubscriptions.save(channel, subscription)
          }}
          // The first subscription creates a rule.
          onDone={() => void queryClient.invalidateQueries({ queryKey: ['notification-rules'] })}
        >
          Turn on
        </ChangeButton>
      )}
      {state === 'on' && (
        <ChangeButton
          name="channel-accounts"
          label={`Turn off ${channel} in this browser`}
          send={async ({ pushSubscriptions }) => {
            const id = await unsubscribe(publicKey)
            if (id !== undefined) await pushSubscriptions.delete(channel, id)
          }}
        >
          Turn off
        </ChangeButton>
      )}
    </span>
  )
}
