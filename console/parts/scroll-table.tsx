import type { ReactNode } from 'react'

interface ScrollTableProps {
  label: string
  /** Classes beside those of all tables. */
  className?: string
  isPane?: boolean
  /** The head and the body. */
  children: ReactNode
}

/** A table that scrolls sideways where it is wider than the page. */
export const ScrollTable = ({ label, className = '', isPane = false, children }: ScrollTableProps) => (
  // A region that scrolls is reached by keyboard.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div className={isPane ? 'pane table-scroll' : 'table-scroll'} tabIndex={0} role="group" aria-label={label}>
    <table className={`table ${className}`.trim()}>{children}</table>
  </div>
)
