import { Button, Group, Modal } from '@mantine/core'
import { type ReactNode, Suspense, useState } from 'react'
import { ActionButton, type ActionButtonProps } from './buttons.tsx'
import { Failure } from './read.tsx'

interface DialogProps {
  title: string
  /** What the dialog does. */
  change: { isPending: boolean; error: Error | null; mutate: () => void }
  /** The words on the button that does it. */
  label: string
  disabled?: boolean
  /** It was done, and the dialog shows what became of it. */
  isDone?: boolean
  onClose: () => void
  children: ReactNode
}

/** Fields or what would happen, then why it failed, the button that does it, and a way out. */
export const Dialog = ({ title, change, label, disabled, isDone = false, onClose, children }: DialogProps) => (
  <Modal opened onClose={onClose} title={title} size="lg">
    <div className="fields">
      {children}
      {change.error && <Failure error={change.error} />}
      <Group>
        {!isDone && (
          <Button loading={change.isPending} disabled={disabled} onClick={() => change.mutate()}>
            {label}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {isDone ? 'Close' : 'Leave it'}
        </Button>
      </Group>
    </div>
  </Modal>
)

interface DialogButtonProps extends Pick<ActionButtonProps, 'icon'> {
  label: string
  /** The dialog, whose code may be loaded now. */
  children: (onClose: () => void) => ReactNode
}

/** A button that opens a dialog. */
export function DialogButton({ icon, label, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ActionButton icon={icon} onClick={() => setOpen(true)}>
        {label}
      </ActionButton>
      {isOpen && <Suspense>{children(() => setOpen(false))}</Suspense>}
    </>
  )
}
