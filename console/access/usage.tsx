import './usage.css'
import type { Data } from '@ganglion/client'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Choice } from '../shared/parts/choice.tsx'
import { formatUsd } from '../shared/parts/names.ts'
import { Page } from '../shared/parts/page.tsx'
import { Empty, Read } from '../shared/parts/read.tsx'
import { ScrollTable } from '../shared/parts/tables.tsx'
import { useSetSearch } from '../shared/parts/use-set-search.ts'
import { Views } from '../shared/parts/views.tsx'
import { useRead } from '../shared/service/use-service.ts'
import { type Group, GROUPS, PERIODS, readUsageSearch } from './usage-search.ts'

const route = getRouteApi('/usage')
const DAY_MS = 86_400_000
const MAX_ROWS = 200

type Usage = Data<'usage.get'>
type Row = Usage['data'][number]

/** What models, embeddings and transcriptions have cost, and what the plan includes. */
export function UsagePage() {
  const { by = 'day', period = 'month' } = route.useSearch()
  const set = useSetSearch(readUsageSearch)
  const usage = useRead(
    ['usage', by, period],
    ganglion => {
      const query = { group_by: by, limit: MAX_ROWS, ...(period !== 'month' && { from: getPeriodStart(period) }) }
      // The client gives the rows of a list; the totals and the plan are beside them.
      return ganglion.request<Usage>('GET', '/v1/usage', { query })
    },
    { placeholderData: keepPreviousData },
  )
  return (
    <Page
      title="Usage"
      actions={
        <>
          <Views label="Sums by" value={by} views={GROUPS} onChange={by => set({ by })} />
          <Choice aria-label="Time" value={period} options={PERIODS} onChange={period => set({ period })} />
        </>
      }
    >
      <Read query={usage}>
        {usage => (
          <>
            <Plan usage={usage} />
            {usage.data.length === 0 ? (
              <Empty title="Nothing was used">No model was called in this time.</Empty>
            ) : (
              <UsageTable usage={usage} />
            )}
            {usage.pagination.total > usage.data.length && (
              <p className="item-note">
                The first {usage.data.length} of {usage.pagination.total}
              </p>
            )}
          </>
        )}
      </Read>
    </Page>
  )
}

/** At midnight, so that the same days are asked for each time. */
const getPeriodStart = (days: string): string =>
  new Date(Math.floor(Date.now() / DAY_MS - Number(days) + 1) * DAY_MS).toISOString()

function Plan({ usage: { plan, total } }: { usage: Usage }) {
  const { limits, used: usage, name } = plan
  const tiles = {
    'In this time': [formatUsd(total.usd), `${formatNumber(total.calls)} calls`],
    Tokens: [
      formatNumber(total.input_tokens + total.output_tokens),
      `${formatNumber(total.output_tokens)} written by models`,
    ],
    'This month': [
      formatUsd(usage.spent_usd),
      limits.included_usd === null
        ? `plan ${name}, without a limit`
        : `of ${formatUsd(limits.included_usd)} in the plan ${name}, ${formatUsd(usage.reserved_usd)} reserved`,
    ],
    'Runs in flight': [
      formatNumber(usage.runs_in_flight),
      limits.runs_in_flight === null ? 'without a limit' : `of ${formatNumber(limits.runs_in_flight)}`,
    ],
  }
  return (
    <section className="tiles usage-tiles" aria-label="Sums and plan">
      {Object.entries(tiles).map(([label, [value, hint]]) => (
        <div key={label} className="tile">
          <span className="tile-label">{label}</span>
          <span className="tile-value">{value}</span>
          <span className="tile-hint">{hint}</span>
        </div>
      ))}
    </section>
  )
}

function UsageTable({ usage: { data, group_by } }: { usage: Usage }) {
  const most = Math.max(...data.map(weighUsage))
  return (
    <ScrollTable
      label="Usage"
      isPane
      columns={[GROUPS[group_by as Group] ?? group_by, 'Cost', 'Calls', 'Tokens read', 'Tokens written']}
    >
      {data.map(row => (
        <tr key={row.group}>
          <th scope="row" className="table-main">
            <Name by={group_by} row={row} />
            <span className="usage-bar" style={{ width: `${most === 0 ? 0 : (weighUsage(row) / most) * 100}%` }} />
          </th>
          <td className="table-fixed">{formatUsd(row.usd)}</td>
          <td className="table-fixed">{formatNumber(row.calls)}</td>
          <td className="table-fixed">{formatNumber(row.input_tokens)}</td>
          <td className="table-fixed">{formatNumber(row.output_tokens)}</td>
        </tr>
      ))}
    </ScrollTable>
  )
}

/** Models without a price are compared by their tokens, which then all have. */
const weighUsage = ({ usd, input_tokens, output_tokens }: Row): number => usd + (input_tokens + output_tokens) / 1e9

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
const formatNumber = (value: number): string => numbers.format(value)
