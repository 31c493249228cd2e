import { Button, Group, Modal } from '@mantine/core'
import { type ReactNode, Suspense, useState } from 'react'
import { useChange } from '../service/use-service.ts'
import { ActionButton, type ActionButtonProps, type ChangeButtonProps } from './buttons.tsx'
import { Failure } from './read.tsx'

interface DialogProps {
  title: string
  /** What the dialog does. */
  change: { isPending: boolean; error: Error | null; mutate: () => void }
  /** The words on the button that does it. */
  label: string
  /** The words on the button that leaves everything as it is. */
  leave?: string
  /** It takes something away, and cannot be undone. */
  isDanger?: boolean
  disabled?: boolean
  /** It was done, and the dialog shows what became of it. */
  isDone?: boolean
  onClose: () => void
  children: ReactNode
}

/** Fields or what would happen, then why it failed, the button that does it, and a way out. */
export const Dialog = ({
  title,
  change,
  label,
  leave = 'Cancel',
  isDanger = false,
  disabled,
  isDone = false,
  onClose,
  children,
}: DialogProps) => (
  <Modal opened onClose={onClose} title={title} size="lg">
    <div className="fields">
      {children}
      {change.error && <Failure error={change.error} />}
      <Group>
        {!isDone && (
          <Button
            loading={change.isPending}
            disabled={disabled}
            color={isDanger ? DANGER : undefined}
            onClick={() => change.mutate()}
          >
            {label}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {isDone ? 'Close' : leave}
        </Button>
      </Group>
    </div>
  </Modal>
)

/** The color of buttons that take something away. */
export const DANGER = 'red.9'

interface DialogButtonProps extends Pick<ActionButtonProps, 'icon' | 'loading'> {
  label: string
  /** Names the button where several are alike. */
  name?: string
  /** The dialog, whose code may be loaded now. */
  children: (onClose: () => void) => ReactNode
}

/** A button that opens a dialog. */
export function DialogButton({ icon, label, name, loading, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ActionButton icon={icon} label={name} loading={loading} onClick={() => setOpen(true)}>
        {label}
      </ActionButton>
      {isOpen && <Suspense>{children(() => setOpen(false))}</Suspense>}
    </>
  )
}

interface ConfirmButtonProps extends Pick<ChangeButtonProps, 'icon' | 'label' | 'name' | 'send'> {
  /** What is done, as verb and object: `Revoke key`. */
  action: string
  /** The words on the button that asks, where they are shorter. */
  words?: string
  title: string
  onDone?: () => void
  /** What becomes of it. */
  children: ReactNode
}

/** A button that takes something away, once a person has read what that means and confirmed it. */
export const ConfirmButton = ({ icon, label, action, words = action, ...props }: ConfirmButtonProps) => (
  <DialogButton icon={icon} label={`${words}…`} name={label}>
    {close => <Confirmation action={action} onClose={close} {...props} />}
  </DialogButton>
)

function Confirmation({
  name,
  send,
  action,
  title,
  onDone,
  onClose,
  children,
}: Omit<ConfirmButtonProps, 'icon' | 'label' | 'words'> & { onClose: () => void }) {
  const change = useChange(name, send, () => {
    onClose()
    onDone?.()
  })
  return (
    <Dialog title={title} change={change} label={action} isDanger onClose={onClose}>
      <p className="detail-text">{children}</p>
    </Dialog>
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
            Clear selection
          </Button>
        </div>
      )}
      {preview && children({ ...preview, onClose })}
    </>
  )
}
