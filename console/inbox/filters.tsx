import { NativeSelect, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { toLabel } from '../parts/names.ts'
import { useSignedIn } from '../service/signed-in.tsx'
import { useCountsQuery } from './queries.ts'
import { type InboxSearch, KINDS, type View, VIEWS } from './search.ts'

const route = getRouteApi('/inbox')

/** Who has no groups has no list of them. */
const listViews = (groups: string[]) => Object.entries(VIEWS).filter(([view]) => view !== 'groups' || groups.length > 0)

/** The list and the kind; both are in the address. */
export function InboxFilters() {
  const search = route.useSearch()
  const { view = 'mine', kind } = search
  const { data: counts } = useQuery(useCountsQuery())
  const { session } = useSignedIn()
  const navigate = useNavigate()
  const set = (fields: InboxSearch) => void navigate({ to: '/inbox', search: { ...search, ...fields } })
  const numbers: Partial<Record<View, number>> = { mine: counts?.mine, groups: counts?.groups, all: counts?.open }
  return (
    <>
      <SegmentedControl
        aria-label="List"
        size="sm"
        className="views"
        value={view}
        onChange={value => set({ view: value as View })}
        data={listViews(session.groups).map(([value, label]) => {
          const number = numbers[value as View]
          return { value, label: number === undefined ? label : `${label} (${number})` }
        })}
      />
      <NativeSelect
        aria-label="Kind"
        size="sm"
        value={kind ?? ''}
        onChange={event => set({ kind: KINDS.find(one => one === event.currentTarget.value) })}
        data={[{ value: '', label: 'All kinds' }, ...KINDS.map(value => ({ value, label: toLabel(value) }))]}
      />
    </>
  )
}
