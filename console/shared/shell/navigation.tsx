import * as icons from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useUnread } from '../../channels/unread.ts'
import { formatLimitedCount, useCounts } from '../../people/counts.ts'
import { formatCount } from '../parts/names.ts'
import { useSignedIn } from '../service/signed-in.tsx'

/** The pages in navigation order. Each requires one of its permissions. */
const PAGES = [
  { to: '/', label: 'Overview', icon: icons.IconHome, needs: [] },
  { to: '/inbox', label: 'Inbox', icon: icons.IconInbox, needs: ['interventions:read'] },
  { to: '/notifications', label: 'Notifications', icon: icons.IconBell, needs: ['interventions:read'] },
  { to: '/runs', label: 'Runs', icon: icons.IconPlayerPlay, needs: ['jobs:read'] },
  { to: '/chat', label: 'Chat', icon: icons.IconMessages, needs: ['conversations:read'] },
  { to: '/documents', label: 'Documents', icon: icons.IconFiles, needs: ['resources:read'] },
  { to: '/pathways', label: 'Workflows', icon: icons.IconRoute, needs: ['resources:read'] },
  { to: '/automations', label: 'Automations', icon: icons.IconBolt, needs: ['resources:read'] },
  { to: '/stakeholders', label: 'Stakeholders', icon: icons.IconUsersGroup, needs: ['resources:read'] },
  { to: '/usage', label: 'Usage', icon: icons.IconChartBar, needs: ['usage:read'] },
  {
    to: '/settings',
    label: 'Settings',
    icon: icons.IconSettings,
    needs: ['interventions:read', 'access:manage', 'shares:manage', 'webhooks:manage', 'activity:read'],
  },
] as const

export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { can } = useSignedIn()
  const waiting = useCounts()?.mine ?? 0
  const counts: Record<string, [count: number, noun: string]> = {
    '/inbox': [waiting, 'open task'],
    '/notifications': [useUnread(), 'unread notification'],
  }
  return (
    <nav aria-label="Pages" className="nav">
      {PAGES.filter(({ needs }) => needs.length === 0 || needs.some(can)).map(({ to, label, icon: Icon }) => (
        <Link key={to} to={to} activeOptions={{ exact: to === '/' }} className="nav-link" onClick={onNavigate}>
          <Icon size={18} stroke={1.7} aria-hidden />
          <span className="nav-label">{label}</span>
          <Count of={counts[to]} />
        </Link>
      ))}
    </nav>
  )
}

function Count({ of: [count, noun] = [0, ''] }: { of: [count: number, noun: string] | undefined }) {
  if (count === 0) return null
  const text = formatLimitedCount(count)
  return (
    <span className="nav-count" title={formatCount(count, noun, text)}>
      {text}
    </span>
  )
}
