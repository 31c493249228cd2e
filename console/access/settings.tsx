import './settings.css'
import { Tabs } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Channels } from '../channels/channels.tsx'
import { MyChannels } from '../channels/my-channels.tsx'
import { NotificationRules } from '../channels/rules.tsx'
import { Page } from '../shared/parts/page.tsx'
import { Empty } from '../shared/parts/read.tsx'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { Activity } from '../audit/activity.tsx'
import { ApiKeys, ShareTokens } from './credentials.tsx'
import { Members } from './members.tsx'
import { type Part, PARTS } from './settings-search.ts'
import { Webhooks } from '../webhooks/webhooks.tsx'

const route = getRouteApi('/settings')
const PANELS = {
  members: Members,
  keys: ApiKeys,
  shares: ShareTokens,
  channels: Channels,
  rules: NotificationRules,
  notifications: MyChannels,
  webhooks: Webhooks,
  activity: Activity,
}

/** Settings for members, credentials, channels and webhooks, and the workspace's audit log. */
export function Settings() {
  const { part } = route.useSearch()
  const { can } = useSignedIn()
  const navigate = useNavigate()
  const parts = (Object.keys(PARTS) as Part[]).filter(name => can(PARTS[name].needs))
  const activePart = parts.find(name => name === part) ?? parts[0]
  const Panel = activePart && PANELS[activePart]
  return (
    <Page title="Settings">
      {Panel ? (
        <Tabs
          value={activePart}
          keepMounted={false}
          onChange={value => void navigate({ to: '/settings', search: { part: value as Part } })}
        >
          <Tabs.List mb="md">
            {parts.map(name => (
              <Tabs.Tab key={name} value={name}>
                {PARTS[name].label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={activePart}>
            <Panel />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <Empty title="No settings available">Your role cannot change any settings.</Empty>
      )}
    </Page>
  )
}
