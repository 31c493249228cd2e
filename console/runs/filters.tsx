import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { toLabel } from '../parts/names.ts'
import { Status } from '../parts/status.tsx'
import { useRunCountsQuery } from './queries.ts'
import { KINDS, listStatuses, readRunsSearch, type RunsSearch, SINCE, SORTS, STATUSES } from './search.ts'

const route = getRouteApi('/runs')
/** Time without a key after which the list follows what is typed, in milliseconds. */
const TYPING_MS = 300

/** Changes fields of the address, and begins at the first page. */
function useNarrow() {
  const search = route.useSearch()
  const navigate = useNavigate()
  return (fields: Partial<Record<keyof RunsSearch, unknown>>) =>
    void navigate({
      to: '/runs',
      search: readRunsSearch({ ...search, page: undefined, ...fields }),
      replace: true,
    })
}

/** Statuses with their numbers, and what else narrows and sorts the list. */
export function RunFilters() {
  const search = route.useSearch()
  const set = useNarrow()
  return (
    <div className="filters">
      <StatusFilter />
      <DelayedText label="Title" value={search.title} onChange={title => set({ title })} />
      <DelayedText label="Pathway" value={search.pathway} onChange={pathway => set({ pathway })} />
      <DelayedText label="Started by" value={search.by} onChange={by => set({ by })} />
      <Choice
        label="Kind"
        all="All kinds"
        value={search.kind}
        options={toOptions(KINDS)}
        onChange={kind => set({ kind })}
      />
      <Choice
        label="Time"
        all="Any time"
        value={search.since}
        options={Object.entries(SINCE)}
        onChange={since => set({ since })}
      />
      <Choice label="Order" value={search.sort} options={Object.entries(SORTS)} onChange={sort => set({ sort })} />
      <Checkbox
        label="Child runs"
        checked={search.children === true}
        onChange={event => set({ children: event.currentTarget.checked })}
      />
    </div>
  )
}

const toOptions = (values: readonly string[]): [string, string][] => values.map(value => [value, toLabel(value)])

function StatusFilter() {
  const search = route.useSearch()
  const set = useNarrow()
  const { data: counts } = useQuery(useRunCountsQuery(search))
  const chosen = listStatuses(search.status)
  return (
    <div className="status-filter" role="group" aria-label="Status">
      {STATUSES.map(status => {
        const isOn = chosen.includes(status)
        const next = isOn ? chosen.filter(one => one !== status) : [...chosen, status]
        return (
          <button key={status} type="button" aria-pressed={isOn} onClick={() => set({ status: next.join(',') })}>
            <Status status={status} /> {counts?.by_status[status] ?? '–'}
          </button>
        )
      })}
    </div>
  )
}

interface ChoiceProps {
  label: string
  /** The choice of none. */
  all?: string
  value: string | undefined
  options: [value: string, label: string][]
  onChange: (value: string) => void
}

const Choice = ({ label, all, value, options, onChange }: ChoiceProps) => (
  <NativeSelect
    aria-label={label}
    size="sm"
    value={value ?? (all ? '' : options[0]?.[0])}
    onChange={event => onChange(event.currentTarget.value)}
    data={[...(all ? [{ value: '', label: all }] : []), ...options.map(([value, label]) => ({ value, label }))]}
  />
)

interface DelayedTextProps {
  label: string
  value: string | undefined
  onChange: (text: string) => void
}

/** A text that takes effect when a person stops to type. */
function DelayedText({ label, value = '', onChange }: DelayedTextProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return undefined
    const timer = setTimeout(() => onChange(text), TYPING_MS)
    return () => clearTimeout(timer)
    // Only what is typed begins the wait again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [text])
  return (
    <TextInput
      size="sm"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={event => setText(event.currentTarget.value)}
    />
  )
}
