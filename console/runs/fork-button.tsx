import { IconGitFork } from '@tabler/icons-react'
import { lazy } from 'react'
import { DialogButton } from '../parts/dialog-button.tsx'
import type { ForkWish } from './fork-dialog.tsx'

const ForkDialog = lazy(() => import('./fork-dialog.tsx'))

/** Opens the dialog of a fork, which first shows what it would do. */
export const ForkButton = ({ wish, label }: { wish: ForkWish; label: string }) => (
  <DialogButton icon={IconGitFork} label={label}>
    {close => <ForkDialog wish={wish} onClose={close} />}
  </DialogButton>
)
