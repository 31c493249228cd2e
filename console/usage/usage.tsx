import './usage.css'
import type { Data } from '@ganglion/client'
import { NativeSelect, SegmentedControl } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { toUsd } from '../parts/names.ts'
import { Page } from '../parts/page.tsx'
import { ScrollTable } from '../parts/scroll-table.tsx'
import { useSetSearch } from '../parts/use-set-search.ts'
import { useSignedIn } from '../service/signed-in.tsx'
import { type Group, GROUPS, type Period, PERIODS, readUsageSearch } from './search.ts'

const route = getRouteApi('/usage')
const DAY_MS = 86_400_000
const MAX_ROWS = 200

type Usage = Data<'usage.get'>
type Row = Usage['data'][number]

/** What models, embeddings and transcriptions have cost, and what the plan includes. */
export function UsagePage() {
  const { by = 'day', period = 'month' } = route.useSearch()
  const { ganglion, brainId } = useSignedIn()
  const { data, error, refetch } = useQuery({
    queryKey: ['usage', brainId, by, period],
    queryFn: () => {
      const query = { group_by: by, limit: MAX_ROWS, ...(period !== 'month' && { from: toBegin(period) }) }
      // The client gives the rows of a list; the totals and the plan are beside them.
      return ganglion.request<Usage>('GET', '/v1/usage', { query })
    },
    placeholderData: keepPreviousData,
  })
  return (
    <Page title="Usage" actions={<Choices by={by} period={period} />}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && <Plan usage={data} />}
      {data?.data.length === 0 && <Empty title="Nothing was used">No model was called in this time.</Empty>}
      {data && data.data.length > 0 && <UsageTable usage={data} />}
      {data && data.pagination.total > data.data.length && (
        <p className="item-note">
          The first {data.data.length} of {data.pagination.total}
        </p>
      )}
    </Page>
  )
}

/** At midnight, so that the same days are asked for each time. */
const toBegin = (days: string): string =>
  new Date(Math.floor(Date.now() / DAY_MS - Number(days) + 1) * DAY_MS).toISOString()

function Choices({ by, period }: { by: Group; period: Period }) {
  const set = useSetSearch(readUsageSearch)
  return (
    <>
      <SegmentedControl
        size="sm"
        className="views"
        aria-label="Sums by"
        value={by}
        onChange={value => set({ by: value as Group })}
        data={Object.entries(GROUPS).map(([value, label]) => ({ value, label }))}
      />
      <NativeSelect
        size="sm"
        aria-label="Time"
        value={period}
        onChange={event => set({ period: event.currentTarget.value as Period })}
        data={Object.entries(PERIODS).map(([value, label]) => ({ value, label }))}
      />
    </>
  )
}

function Plan({ usage: { plan, total } }: { usage: Usage }) {
  const { limits, used, name } = plan
  return (
    <section className="tiles usage-tiles" aria-label="Sums and plan">
      <Tile label="In this time" value={toUsd(total.usd)} hint={`${toNumber(total.calls)} calls`} />
      <Tile
        label="Tokens"
        value={toNumber(total.input_tokens + total.output_tokens)}
        hint={`${toNumber(total.output_tokens)} written by models`}
      />
      <Tile
        label="This month"
        value={toUsd(used.spent_usd)}
        hint={
          limits.included_usd === null
            ? `plan ${name}, without a limit`
            : `of ${toUsd(limits.included_usd)} in the plan ${name}, ${toUsd(used.reserved_usd)} reserved`
        }
      />
      <Tile
        label="Runs in flight"
        value={toNumber(used.runs_in_flight)}
        hint={limits.runs_in_flight === null ? 'without a limit' : `of ${toNumber(limits.runs_in_flight)}`}
      />
    </section>
  )
}

const Tile = ({ label, value, hint }: { label: string; value: string; hint: string }) => (
  <div className="tile">
    <span className="tile-label">{label}</span>
    <span className="tile-value">{value}</span>
    <span className="tile-hint">{hint}</span>
  </div>
)

function UsageTable({ usage: { data, group_by } }: { usage: Usage }) {
  const most = Math.max(...data.map(toSize))
  return (
    <ScrollTable
      label="Usage"
      className="usage-table"
      isPane
      columns={[GROUPS[group_by as Group] ?? group_by, 'Cost', 'Calls', 'Tokens read', 'Tokens written']}
    >
      {data.map(row => (
        <tr key={row.group}>
          <th scope="row" className="table-main">
            <Name by={group_by} row={row} />
            <span className="usage-bar" style={{ width: `${most === 0 ? 0 : (toSize(row) / most) * 100}%` }} />
          </th>
          <td className="table-fixed">{toUsd(row.usd)}</td>
          <td className="table-fixed">{toNumber(row.calls)}</td>
          <td className="table-fixed">{toNumber(row.input_tokens)}</td>
          <td className="table-fixed">{toNumber(row.output_tokens)}</td>
        </tr>
      ))}
    </ScrollTable>
  )
}

/** Models without a price are compared by their tokens, which then all have. */
const toSize = ({ usd, input_tokens, output_tokens }: Row): number => usd + (input_tokens + output_tokens) / 1e9

function Name({ by, row: { group, slug } }: { by: string; row: Row }) {
  if (group === null) return 'None'
  if (by !== 'pathway' || slug === null) return slug ?? group
  return (
    <Link to="/pathways/$pathwayId" params={{ pathwayId: slug }} className="table-link">
      {slug}
    </Link>
  )
}

const numbers = new Intl.NumberFormat('en')
const toNumber = (value: number): string => numbers.format(value)
