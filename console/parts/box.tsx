import type { ReactNode } from 'react'

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
