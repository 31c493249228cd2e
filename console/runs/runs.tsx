import './runs.css'
import type { Item } from '@ganglion/client'
import { Checkbox } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { formatDuration, RunLink, RunStatus, useNow, When } from '../shared/parts/inline.tsx'
import { formatUsd } from '../shared/parts/names.ts'
import { Person } from '../shared/parts/person.tsx'
import { Page } from '../shared/parts/page.tsx'
import { Empty, Read } from '../shared/parts/read.tsx'
import { Pages, ScrollTable } from '../shared/parts/tables.tsx'
import { useSetSearch } from '../shared/parts/use-set-search.ts'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useRead } from '../shared/service/use-service.ts'
import { BulkActions, BulkFilter } from './bulk-actions.tsx'
import { RunFilters } from './filters.tsx'
import { PathwayLink } from './pathway-link.tsx'
import { LISTED } from './queries.ts'
import { buildListFilters, KINDS, readRunsSearch } from './search.ts'

const route = getRouteApi('/runs')
const NONE: ReadonlySet<string> = new Set()

type Run = Item<'jobs.list'>

/** The runs of the workspace, filtered and sorted by the URL. */
export function Runs() {
  const search = route.useSearch()
  const set = useSetSearch(readRunsSearch, false)
  const list = useRead(['jobs', 'list', search], ({ jobs }) => jobs.list(buildListFilters(search)), LISTED)
  const [selectedIds, setSelectedIds] = useState(NONE)
  const listed = list.data?.data.filter(({ job_id }) => selectedIds.has(job_id)) ?? []
  return (
    <Page title="Runs" isWide>
      <RunFilters />
      <BulkActions runs={listed} onDone={() => setSelectedIds(NONE)} />
      {listed.length === 0 && list.data && <BulkFilter search={search} total={list.data.total} />}
      <Read query={list}>
        {({ data, total }) => (
          <>
            {data.length === 0 ? (
              <Empty title="No runs match these filters" />
            ) : (
              <RunTable runs={data} selectedIds={selectedIds} onChoose={setSelectedIds} />
            )}
            <Pages page={search.page ?? 1} total={total} noun="run" onGo={page => set({ page })} />
          </>
        )}
      </Read>
    </Page>
  )
}

interface RunTableProps {
  runs: Run[]
  selectedIds: ReadonlySet<string>
  onChoose: (ids: ReadonlySet<string>) => void
}

function RunTable({ runs, selectedIds, onChoose }: RunTableProps) {
  const mayChoose = useSignedIn().can('jobs:control')
  const ids = new Set(runs.map(({ job_id }) => job_id))
  const listed = ids.intersection(selectedIds)
  const chooseAll = (
    <Checkbox
      size="xs"
      aria-label="Select all on this page"
      checked={listed.size === ids.size}
      indeterminate={listed.size > 0 && listed.size < ids.size}
      onChange={event => onChoose(event.currentTarget.checked ? selectedIds.union(ids) : selectedIds.difference(ids))}
    />
  )
  return (
    <ScrollTable
      label="Runs"
      isPane
      columns={[...(mayChoose ? [chooseAll] : []), 'Run', 'Workflow', 'Status', 'Started', 'Took', 'By', 'Cost']}
    >
      {runs.map(run => (
        <tr key={run.job_id}>
          {mayChoose && (
            <td>
              <Checkbox
                size="xs"
                aria-label={`Choose ${run.title}`}
                checked={selectedIds.has(run.job_id)}
                onChange={() => onChoose(selectedIds.symmetricDifference(new Set([run.job_id])))}
              />
            </td>
          )}
          <Cells run={run} />
        </tr>
      ))}
    </ScrollTable>
  )
}

function Cells({ run }: { run: Run }) {
  const { job_id, title, kind, status, created_at, finished_at, requester, usage, current_step, failedReason } = run
  const now = useNow(finished_at === null)
  const note = status === 'failed' ? failedReason : status === 'completed' ? undefined : current_step
  return (
    <>
      <td className="table-main">
        <RunLink jobId={job_id}>{title || 'Removed'}</RunLink>
        <span className="item-note">
          {[kind === 'pathway' ? undefined : KINDS[kind], note].filter(Boolean).join(' · ')}
        </span>
      </td>
      <td>
        <PathwayLink run={run} />
      </td>
      <td>
        <RunStatus run={run} />
      </td>
      <td className="table-fixed">
        <When time={created_at} />
      </td>
      <td className="table-fixed">
        {formatDuration((finished_at ? Date.parse(finished_at) : now) - Date.parse(created_at))}
      </td>
      <td>
        <Person actor={requester} />
      </td>
      <td className="table-fixed">{usage.usd === 0 ? '–' : formatUsd(usage.usd)}</td>
    </>
  )
}
