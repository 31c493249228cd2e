import type { Schema } from '@ganglion/client'
import { ActionButton, ChangeButton, CopyText } from '../shared/parts/buttons.tsx'
import { Failure, ReadList } from '../shared/parts/read.tsx'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useChange, useRead } from '../shared/service/use-service.ts'
import { BrowserPush } from './browser-push.tsx'
import { RuleForm } from './rule-form.tsx'

type Account = Schema<'ChannelAccounts'>['data'][number]

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
      empty={['No channels', 'Ask an administrator to connect a channel, such as Slack.']}
      className="tiles tiles-wide settings-list"
      keyOf={({ channel }) => channel}
    >
      {account => (
        <div className="tile">
          <span className="item-title">{account.channel}</span>
          {account.type === 'web_push' && <BrowserPush account={account} />}
          {(account.type === 'slack' || account.type === 'email') && <AccountLink account={account} />}
          {rules.data && calendars.data && (
            <RuleForm
              subject={session.actor}
              channel={account.channel}
              type={account.type}
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
function AccountLink({ account: { channel, type, external_id, is_linkable } }: { account: Account }) {
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
  if (!is_linkable)
    return (
      <span className="item-note">
        Mail goes to the address in your profile. You can't link an address, because the channel has no mailbox.
      </span>
    )
  return (
    <>
      <span className="item-note">
        {type === 'email' ? 'Not linked. Mail goes to the address in your profile.' : 'Not linked'}
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
