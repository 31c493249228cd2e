import { IconHome } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

/** The pages, in the order of the navigation. */
const PAGES = [{ to: '/', label: 'Overview', icon: IconHome, isExact: true }] as const

export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  return (
    <nav aria-label="Pages" className="nav">
      {PAGES.map(({ to, label, icon: Icon, isExact }) => (
        <Link key={to} to={to} activeOptions={{ exact: isExact }} className="nav-link" onClick={onNavigate}>
          <Icon size={18} stroke={1.7} aria-hidden />
          <span className="nav-label">{label}</span>
        </Link>
      ))}
    </nav>
  )
}
