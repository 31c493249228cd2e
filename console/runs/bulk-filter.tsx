import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useSignedIn } from '../service/signed-in.tsx'
import { BULK_OPERATIONS, type BulkOperation } from './bulk-operations.ts'
import type { RunsSearch } from './search.ts'

const BulkDialog = lazy(() => import('./bulk-dialog.tsx'))

/** What can be done with all runs that the address matches, on all pages. */
export function BulkFilter({ search, total }: { search: RunsSearch; total: number }) {
  const { can } = useSignedIn()
  const [operation, setOperation] = useState<BulkOperation>()
  const offered = BULK_OPERATIONS.filter(
    one => can('jobs:control') && can(one.permission) && (search.pathway !== undefined || !('needsPathway' in one)),
  )
  if (total === 0 || offered.length === 0) return null
  return (
    <div className="bulk" role="group" aria-label="All runs of this list">
      <span>All of this list: {total.toLocaleString()}</span>
      {offered.map(({ name, label }) => (
        <Button key={name} size="xs" variant="default" onClick={() => setOperation(name)}>
          {label} all…
        </Button>
      ))}
      {operation && (
        <Suspense>
          <BulkDialog operation={operation} search={search} onClose={() => setOperation(undefined)} />
        </Suspense>
      )}
    </div>
  )
}
