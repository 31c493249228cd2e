import { IconMenu2, IconX } from '@tabler/icons-react'
import { Outlet } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { Loading } from '../parts/loading.tsx'
import { useLiveUpdates } from '../service/live.ts'
import { RequireSession } from '../service/signed-in.tsx'
import { AccountButton } from './account-button.tsx'
import { Brand } from './brand.tsx'
import { Navigation } from './navigation.tsx'
import { Themed } from './themed.tsx'

const AccountMenu = lazy(() => import('./account-menu.tsx'))

/** Navigation at the side, or behind a button on phones, with the page next to it. */
export const Shell = () => (
  <RequireSession>
    <SignedInShell />
  </RequireSession>
)

function SignedInShell() {
  useLiveUpdates()
  const [isOpen, setOpen] = useState(false)
  // Remembers a click on the button while the menu is loading.
  const [isMenuWanted, setMenuWanted] = useState(false)
  return (
    <>
      <a href="#page" className="skip-link">
        Skip to content
      </a>
      <div className="shell" data-open={isOpen || undefined}>
        <header className="shell-side">
          <div className="shell-top">
            <Brand />
            <button
              type="button"
              className="plain-button shell-toggle"
              aria-label={isOpen ? 'Close navigation' : 'Open navigation'}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? <IconX size={20} /> : <IconMenu2 size={20} />}
            </button>
          </div>
          <div className="shell-menu">
            <Navigation onNavigate={() => setOpen(false)} />
            <Themed fallback={<AccountButton onClick={() => setMenuWanted(true)} />}>
              <AccountMenu isOpenAtFirst={isMenuWanted} />
            </Themed>
          </div>
        </header>
        <main id="page" className="shell-page" tabIndex={-1}>
          <Themed fallback={<Loading />}>
            <Outlet />
          </Themed>
        </main>
      </div>
    </>
  )
}
