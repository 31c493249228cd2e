import { Button, Group, Modal } from '@mantine/core'
import { type ReactNode, Suspense, useState } from 'react'
import { useChange } from '../service/use-service.ts'
import { ActionButton, type ActionButtonProps, type ChangeButtonProps } from './buttons.tsx'
import { Failure } from './read.tsx'

interface DialogProps {
  title: string
  /** The mutation that the dialog runs. */
  change: { isPending: boolean; error: Error | null; mutate: () => void }
  /** Label of the confirm button. */
  label: string
  /** Label of the cancel button. */
  leave?: string
  /** Whether the action is destructive and cannot be undone. */
  isDanger?: boolean
  disabled?: boolean
  /** Whether the action is complete. The dialog then shows the outcome. */
  isDone?: boolean
  onClose: () => void
  children: ReactNode
}

/** A dialog with fields or a preview, the error, and confirm and cancel buttons. */
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

/** Color of destructive buttons. */
export const DANGER = 'red.9'

interface DialogButtonProps extends Pick<ActionButtonProps, 'icon' | 'loading'> {
  label: string
  /** Accessible name, if several buttons have the same text. */
  name?: string
  /** Renders the dialog. Its code may load lazily. */
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

interface FormButtonProps extends Pick<DialogButtonProps, 'label' | 'name' | 'children'> {
  title: string
}

/** A button that opens a dialog with a form that has its own buttons. */
export const FormButton = ({ label, name, title, children }: FormButtonProps) => (
  <DialogButton label={`${label}…`} name={name}>
    {close => (
      <Modal opened onClose={close} title={title} size="lg">
        {children(close)}
      </Modal>
    )}
  </DialogButton>
)

interface ConfirmButtonProps extends Pick<ChangeButtonProps, 'icon' | 'label' | 'name' | 'send'> {
  /** The action as verb and object: `Revoke key`. */
  action: string
  /** Text of the button that opens the dialog, if shorter. */
  words?: string
  title: string
  onDone?: () => void
  /** The consequences. */
  children: ReactNode
}

/** A button for a destructive action. A confirmation dialog explains the consequences. */
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
  /** Selected items. If empty, nothing is shown. */
  items: Item[]
  /** Text after the number of selected items. */
  note?: string
  /** Possible actions with their labels. */
  actions: Partial<Record<Action, string>>
  isDisabled?: boolean
  /** Clears the selection. */
  onDone: () => void
  /** Renders the dialog that previews and performs an action. */
  children: (preview: PreviewProps<Item, Action>) => ReactNode
}

/** Applies an action to selected list items after a preview. */
export function Bulk<Item, Action extends string>(props: BulkProps<Item, Action>) {
  const { label, items, note, actions, isDisabled, onDone, children } = props
  // A copy of the selection: changed items may leave the list while the outcome is shown.
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
            {items.length} selected{note}
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
