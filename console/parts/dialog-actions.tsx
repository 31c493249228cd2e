import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'

interface DialogActionsProps {
  /** What the dialog does. */
  action: { isPending: boolean; error: Error | null; mutate: () => void }
  disabled?: boolean
  onClose: () => void
  /** The words on the button. */
  children: ReactNode
}

/** The end of a dialog: why it failed, what it does, and a way out. */
export const DialogActions = ({ action, disabled = false, onClose, children }: DialogActionsProps) => (
  <>
    {action.error && <Failure error={action.error} />}
    <Group>
      <Button loading={action.isPending} disabled={disabled} onClick={() => action.mutate()}>
        {children}
      </Button>
      <Button variant="default" onClick={onClose}>
        Leave it
      </Button>
    </Group>
  </>
)
