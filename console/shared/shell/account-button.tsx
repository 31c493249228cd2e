import { IconChevronDown } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { formatActor } from '../parts/names.ts'
import { useSignedIn } from '../service/signed-in.tsx'

/** Shows the signed-in person and the workspace. Opens the menu, whose code loads after the page. */
export function AccountButton(props: ComponentProps<'button'>) {
  const { session, brainId } = useSignedIn()
  const name = session.display_name ?? formatActor(session.actor)
  const brain = session.brains.find(({ id }) => id === brainId)
  return (
    <button type="button" {...props} className="plain-button account">
      <span className="account-sign" aria-hidden>
        {name.slice(0, 1).toUpperCase()}
      </span>
      <span className="account-text">
        <span className="account-name" title={session.actor}>
          {name}
        </span>
        <span className="account-place">
          {session.workspace.slug}
          {brain && ` · ${brain.name}`}
        </span>
      </span>
      <IconChevronDown size={16} aria-hidden />
    </button>
  )
}
