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

export interface PreviewProps<Item, Action> {
  action: Action
  items: Item[]
  onClose: (isDone: boolean) => void
}

interface BulkProps<Item, Action extends string> {
  label: string
  /** The chosen ones. Nothing is shown while there are none. */
  items: Item[]
  /** Said after their number. */
  note?: string
  /** What can be done with them, and the words for it. */
  actions: Partial<Record<Action, string>>
  isDisabled?: boolean
  /** Chooses none. */
  onDone: () => void
  /** The dialog that shows what an action would do, and does it. */
  children: (preview: PreviewProps<Item, Action>) => ReactNode
}

/** Does something with the chosen items of a list, after a look at what becomes of each. */
export function Bulk<Item, Action extends string>(props: BulkProps<Item, Action>) {
  const { label, items, note, actions, isDisabled, onDone, children } = props
  // As they were chosen: one that has changed may leave the list while the outcome is shown.
  const [preview, setPreview] = useState<{ action: Action; items: Item[] }>()
  const onClose = (isDone: boolean) => {
    setPreview(undefined)
    if (isDone) onDone()
  }
  return (
    <>
      {items.length > 0 && (
        <div className="bulk" role="group" aria-label={label}>
          <span>
            {items.length} chosen{note}
          </span>
          {(Object.keys(actions) as Action[]).map(action => (
            <Button
              key={action}
              size="xs"
              variant="default"
              disabled={isDisabled}
              onClick={() => setPreview({ action, items })}
            >
              {actions[action]}…
            </Button>
          ))}
          <Button size="xs" variant="subtle" onClick={onDone}>
            Choose none
          </Button>
        </div>
      )}
      {preview && children({ ...preview, onClose })}
    </>
  )
}
