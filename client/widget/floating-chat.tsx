import { useEffect, useId, useRef, useState } from 'react'
import { Chat, type ChatProps, Icon } from '../src/react/chat.tsx'
import { DEFAULT_LABELS } from '../src/react/labels.ts'
import { adoptStyles } from '../src/react/styles.ts'

/** A button in the corner of the page that opens the chat above it. */
export function FloatingChat({ scheme, ...props }: ChatProps) {
  const id = useId()
  /** Undefined until the chat is opened. A closed chat keeps what the visitor has entered. */
  const [isOpen, setOpen] = useState<boolean>()
  const launcher = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const labels = { ...DEFAULT_LABELS, ...props.labels }

  useEffect(() => adoptStyles(launcher.current?.getRootNode()), [])
  useEffect(() => {
    if (!isOpen) return
    panel.current?.querySelector('textarea')?.focus()
    // A hidden log doesn't follow new messages.
    panel.current?.querySelector('.gc-task, .gc-log > :last-child')?.scrollIntoView()
  }, [isOpen])

  function close(): void {
    setOpen(false)
    launcher.current?.focus()
  }

  return (
    <div className="gc-floating" data-open={isOpen || undefined}>
      {isOpen !== undefined && (
        <div
          ref={panel}
          id={id}
          hidden={!isOpen}
          className="gc-panel"
          role="dialog"
          aria-label={labels.heading}
          onKeyDown={event => event.key === 'Escape' && close()}
        >
          <Chat {...props} scheme={scheme} onClose={close} />
        </div>
      )}
      <button
        ref={launcher}
        type="button"
        className="gc-launcher"
        data-scheme={scheme}
        aria-label={isOpen ? labels.close : labels.open}
        aria-expanded={isOpen ?? false}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon path={isOpen ? 'M6 9l6 6 6-6' : 'M4 5h16v11H9l-5 4z'} />
      </button>
    </div>
  )
}
