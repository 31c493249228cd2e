import { Children, type ReactNode } from 'react'

interface ScrollTableProps {
  label: string
  /** The heads of the columns. One of buttons has none. */
  columns: ReactNode[]
  /** Classes beside those of all tables. */
  className?: string
  isPane?: boolean
  /** The rows. */
  children: ReactNode
}

/** A table that scrolls sideways where it is wider than the page. */
export const ScrollTable = ({ label, columns, className = '', isPane = false, children }: ScrollTableProps) => (
  // A region that scrolls is reached by keyboard.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div className={isPane ? 'pane table-scroll' : 'table-scroll'} tabIndex={0} role="group" aria-label={label}>
    <table className={`table ${className}`.trim()}>
      <thead>
        <tr>{Children.map(columns, head => (head === '' ? <td /> : <th scope="col">{head}</th>))}</tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
)
