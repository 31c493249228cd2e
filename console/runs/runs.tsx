import './runs.css'
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { toName, toUsd } from '../parts/names.ts'
import { Page } from '../parts/page.tsx'
import { Pages } from '../parts/pages.tsx'
import { ScrollTable } from '../parts/scroll-table.tsx'
import { Status } from '../parts/status.tsx'
import { toDuration, useNow, When } from '../parts/when.tsx'
import { useSignedIn } from '../service/signed-in.tsx'
import { BulkActions } from './bulk-actions.tsx'
import { BulkFilter } from './bulk-filter.tsx'
import { RunFilters } from './filters.tsx'
import { useRunsQuery } from './queries.ts'
import { PAGE_SIZE } from './search.ts'

const route = getRouteApi('/runs')
const NONE: ReadonlySet<string> = new Set()

/** The runs of the workspace, as the address narrows and sorts them. */
export function Runs() {
  const search = route.useSearch()
  const { can } = useSignedIn()
  const { data, error, refetch } = useQuery(useRunsQuery(search))
  const [chosen, setChosen] = useState(NONE)
  const runs = data?.data ?? []
  const listed = runs.filter(({ job_id }) => chosen.has(job_id))
  const choose = (ids: string[], isOn: boolean) =>
    setChosen(before => new Set(isOn ? [...before, ...ids] : [...before].filter(id => !ids.includes(id))))
  const chooseAll = (
    <Checkbox
      size="xs"
      aria-label="Choose all on this page"
      checked={listed.length === runs.length}
      indeterminate={listed.length > 0 && listed.length < runs.length}
      onChange={event =>
        choose(
          runs.map(({ job_id }) => job_id),
          event.currentTarget.checked,
        )
      }
    />
  )
  return (
    <Page title="Runs" isWide>
      <RunFilters />
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      <BulkActions runs={listed} onDone={() => setChosen(NONE)} />
      {!data && !error && <Loading />}
      {data && runs.length === 0 && <Empty title="No runs">None match what is chosen above.</Empty>}
      {runs.length > 0 && (
        <ScrollTable
          label="List of runs"
          isPane
          columns={[...(can('jobs:control') ? [chooseAll] : []), 'Run', 'Status', 'Started', 'Took', 'By', 'Cost']}
        >
          {runs.map(run => (
            <Row key={run.job_id} run={run} isChosen={chosen.has(run.job_id)} onChoose={choose} />
          ))}
        </ScrollTable>
      )}
      {data && listed.length === 0 && <BulkFilter search={search} total={data.total} />}
      {data && <RunPages total={data.total} />}
    </Page>
  )
}

type Run = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof useRunsQuery>['queryFn']>>>>['data'][number]

interface RowProps {
  run: Run
  isChosen: boolean
  onChoose: (ids: string[], isOn: boolean) => void
}

function Row({ run, isChosen, onChoose }: RowProps) {
  const { job_id, title, kind, status, created_at, finished_at, requester, usage, current_step, failedReason } = run
  const { can } = useSignedIn()
  const now = useNow()
  const note = status === 'failed' ? failedReason : status === 'completed' ? undefined : current_step
  return (
    <tr>
      {can('jobs:control') && (
        <td>
          <Checkbox
            size="xs"
            aria-label={`Choose ${title}`}
            checked={isChosen}
            onChange={event => onChoose([job_id], event.currentTarget.checked)}
          />
        </td>
      )}
      <td className="table-main">
        <Link to="/runs/$jobId" params={{ jobId: job_id }} className="table-link">
          {title || 'Removed'}
        </Link>
        <span className="item-note">
          {kind}
          {note && ` · ${note}`}
        </span>
      </td>
      <td>
        <Status status={status} />
      </td>
      <td className="table-fixed">
        <When time={created_at} />
      </td>
      <td className="table-fixed">
        {toDuration((finished_at ? Date.parse(finished_at) : now) - Date.parse(created_at))}
      </td>
      <td>{toName(requester)}</td>
      <td className="table-fixed">{usage.usd === 0 ? '–' : toUsd(usage.usd)}</td>
    </tr>
  )
}

function RunPages({ total }: { total: number }) {
  const search = route.useSearch()
  const navigate = useNavigate()
  return (
    <Pages
      page={search.page ?? 1}
      pageSize={PAGE_SIZE}
      total={total}
      names={['run', 'runs']}
      onGo={page => void navigate({ to: '/runs', search: { ...search, page } })}
    />
  )
}
