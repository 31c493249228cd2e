import { Button } from '@mantine/core'
import { toCount } from './names.ts'

interface PagesProps {
  page: number
  pageSize: number
  total: number
  /** What the list has: one of it. */
  one: string
  onGo: (page: number) => void
}

/** Leads from one page of a list to the next. */
export function Pages({ page, pageSize, total, one, onGo }: PagesProps) {
  const last = Math.max(1, Math.ceil(total / pageSize))
  return (
    <nav className="pages" aria-label="Pages of the list">
      <Button variant="default" size="xs" disabled={page <= 1} onClick={() => onGo(page - 1)}>
        Before
      </Button>
      <span>
        {toCount(total, one)}, page {page} of {last}
      </span>
      <Button variant="default" size="xs" disabled={page >= last} onClick={() => onGo(page + 1)}>
        Next
      </Button>
    </nav>
  )
}
