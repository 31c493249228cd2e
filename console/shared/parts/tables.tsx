import { Children, type ReactNode } from 'react'
import { Button } from '@mantine/core'
import { formatCount } from './names.ts'
import { PAGE_SIZE } from './search.ts'

interface ScrollTableProps {
  label: string
  /** Column headings. Button columns have no heading. */
  columns: ReactNode[]
  isPane?: boolean
  /** The rows. */
  children: ReactNode
}

/** A table that scrolls horizontally if it is wider than the page. */
export const ScrollTable = ({ label, columns, isPane = false, children }: ScrollTableProps) => (
  // A scrollable region must be reachable by keyboard.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div className={isPane ? 'pane table-scroll' : 'table-scroll'} tabIndex={0} role="group" aria-label={label}>
    <table className="table">
      <thead>
        <tr>{Children.map(columns, head => (head === '' ? <td /> : <th scope="col">{head}</th>))}</tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
)

interface PagesProps {
  page: number
  total: number
  /** Singular noun of the list items. */
  noun: string
  onGo: (page: number) => void
}

/** Pagination. */
export function Pages({ page, total, noun, onGo }: PagesProps) {
  const last = Math.max(1, Math.ceil(total / PAGE_SIZE))
  return (
    <nav className="pages" aria-label="Pagination">
      <Button variant="default" size="xs" disabled={page <= 1} onClick={() => onGo(page - 1)}>
        Previous
      </Button>
      <span>
        {formatCount(total, noun)}, page {page} of {last}
      </span>
      <Button variant="default" size="xs" disabled={page >= last} onClick={() => onGo(page + 1)}>
        Next
      </Button>
    </nav>
  )
}
