import { type ReactNode, Suspense, useState } from 'react'
import { ActionButton, type ActionButtonProps } from './action-button.tsx'

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
