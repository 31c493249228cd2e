import { ActionIcon, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface PanelProps {
  /** What is shown, such as `node`. */
  subject: string
  title: string
  onClose: () => void
  children: ReactNode
}

/** What was chosen in a graph or a list, beside it. */
export const Panel = ({ subject, title, onClose, children }: PanelProps) => (
  <section className="pane run-panel" aria-label={`The chosen ${subject}`}>
    <header className="detail-head">
      <Title order={2} size="h4">
        {title}
      </Title>
      <ActionIcon variant="subtle" color="gray" aria-label={`Close the ${subject}`} onClick={onClose}>
        <IconX size={18} />
      </ActionIcon>
    </header>
    {children}
  </section>
)

interface BoxProps {
  title: string
  /** What the section is called where its title says too little. */
  label?: string
  children: ReactNode
}

/** A section with its heading, in a frame. */
export const Box = ({ title, label = title, children }: BoxProps) => (
  <section className="pane run-box" aria-label={label}>
    <h2>{title}</h2>
    {children}
  </section>
)
