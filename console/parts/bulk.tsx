import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'

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
  className?: string
  /** Chooses none. */
  onDone: () => void
  /** The dialog that shows what an action would do, and does it. */
  children: (preview: PreviewProps<Item, Action>) => ReactNode
}

/** Does something with the chosen items of a list, after a look at what becomes of each. */
export function Bulk<Item, Action extends string>(props: BulkProps<Item, Action>) {
  const { label, items, note, actions, isDisabled, className = '', onDone, children } = props
  // As they were chosen: one that has changed may leave the list while the outcome is shown.
  const [preview, setPreview] = useState<{ action: Action; items: Item[] }>()
  const onClose = (isDone: boolean) => {
    setPreview(undefined)
    if (isDone) onDone()
  }
  return (
    <>
      {items.length > 0 && (
        <div className={`bulk ${className}`.trim()} role="group" aria-label={label}>
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
