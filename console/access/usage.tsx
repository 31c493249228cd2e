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

/** The cost of model calls, embeddings and transcriptions, and the plan's limits. */
export function UsagePage() {
  const { by = 'day', period = 'month' } = route.useSearch()
  const set = useSetSearch(readUsageSearch)
  const usage = useRead(
    ['usage', by, period],
    ganglion => {
      const query = { group_by: by, limit: MAX_ROWS, ...(period !== 'month' && { from: getPeriodStart(period) }) }
      // The client returns only the rows of a list; totals and plan are next to them in the response.
      return ganglion.request<Usage>('GET', '/v1/usage', { query })
    },
    { placeholderData: keepPreviousData },
  )
  return (
    <Page
      title="Usage"
      actions={
        <>
          <Views label="Group by" value={by} views={GROUPS} onChange={by => set({ by })} />
          <Choice aria-label="Period" value={period} options={PERIODS} onChange={period => set({ period })} />
        </>
      }
    >
      <Read query={usage}>
        {usage => (
          <>
            <Plan usage={usage} />
            {usage.data.length === 0 ? (
              <Empty title="No usage">No models were called in this period.</Empty>
            ) : (
              <UsageTable usage={usage} />
            )}
            {usage.pagination.total > usage.data.length && (
              <p className="item-note">
                Showing the first {usage.data.length} of {usage.pagination.total}
              </p>
            )}
          </>
        )}
      </Read>
    </Page>
  )
}

/** Midnight UTC, so that repeated requests cover the same days. */
const getPeriodStart = (days: string): string =>
  new Date(Math.floor(Date.now() / DAY_MS - Number(days) + 1) * DAY_MS).toISOString()

function Plan({ usage: { plan, total } }: { usage: Usage }) {
  const { limits, used: usage, name } = plan
  const tiles = {
    'Selected period': [formatUsd(total.usd), `${formatNumber(total.calls)} calls`],
    Tokens: [
      formatNumber(total.input_tokens + total.output_tokens),
      `${formatNumber(total.output_tokens)} output tokens`,
    ],
    'This month': [
      formatUsd(usage.spent_usd),
      limits.included_usd === null
        ? `${name} plan, no limit`
        : `of ${formatUsd(limits.included_usd)} in the ${name} plan, ${formatUsd(usage.reserved_usd)} reserved`,
    ],
    'Active runs': [
      formatNumber(usage.runs_in_flight),
      limits.runs_in_flight === null ? 'no limit' : `of ${formatNumber(limits.runs_in_flight)}`,
    ],
  }
  return (
    <section className="tiles usage-tiles" aria-label="Totals and plan">
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
      columns={[GROUPS[group_by as Group] ?? group_by, 'Cost', 'Calls', 'Input tokens', 'Output tokens']}
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

/** Sorts models without a price by their tokens. */
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
