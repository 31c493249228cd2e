import { ActionIcon, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface PanelProps {
  /** The kind of item shown, such as `node`. */
  subject: string
  title: string
  onClose: () => void
  children: ReactNode
}

/** Details of an item selected in a graph or list. */
export const Panel = ({ subject, title, onClose, children }: PanelProps) => (
  <section className="pane run-panel" aria-label={`Selected ${subject}`}>
    <header className="detail-head">
      <Title order={2} size="h4">
        {title}
      </Title>
      <ActionIcon variant="subtle" color="gray" aria-label={`Close ${subject} details`} onClick={onClose}>
        <IconX size={18} />
      </ActionIcon>
    </header>
    {children}
  </section>
)

interface BoxProps {
  title: string
  /** Accessible name, if the title is not specific enough. */
  label?: string
  children: ReactNode
}

/** A section with a heading and a frame. */
export const Box = ({ title, label = title, children }: BoxProps) => (
  <section className="pane run-box" aria-label={label}>
    <h2>{title}</h2>
    {children}
  </section>
)
