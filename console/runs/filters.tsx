import { Button, Checkbox, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Choice } from '../shared/parts/choice.tsx'
import { bindField } from '../shared/parts/form.tsx'
import { Status } from '../shared/parts/inline.tsx'
import { useSetSearch } from '../shared/parts/use-set-search.ts'
import { useRunCounts } from './queries.ts'
import { countStatus, KINDS, listStatuses, readRunsSearch, type RunsSearch, SINCE, SORTS, STATUSES } from './search.ts'

const route = getRouteApi('/runs')
const TEXTS = { title: 'Title', pathway_name: 'Workflow', by: 'Started by' }

/** Status filters with counts, the other filters, and the sort order. */
export function RunFilters() {
  const search = route.useSearch()
  const change = useSetSearch(readRunsSearch)
  /** A changed filter resets the list to the first page. */
  const set = (fields: RunsSearch) => change({ page: undefined, ...fields })
  const { data: counts } = useRunCounts(search)
  const statuses = listStatuses(search.status)
  return (
    <div className="filters">
      <div className="status-filter" role="group" aria-label="Status">
        {STATUSES.map(status => {
          const isOn = statuses.includes(status)
          const next = isOn ? statuses.filter(candidate => candidate !== status) : [...statuses, status]
          return (
            <button key={status} type="button" aria-pressed={isOn} onClick={() => set({ status: next.join(',') })}>
              <Status status={status} /> {counts ? countStatus(counts, status) : '–'}
            </button>
          )
        })}
      </div>
      {(Object.keys(TEXTS) as (keyof typeof TEXTS)[]).map(name => (
        <DelayedText key={name} label={TEXTS[name]} value={search[name]} onChange={text => set({ [name]: text })} />
      ))}
      {search.pathway !== undefined && (
        <Button
          size="xs"
          variant="light"
          rightSection={<IconX size={14} aria-hidden />}
          aria-label={`Remove the filter for workflow ${search.pathway}`}
          onClick={() => set({ pathway: undefined })}
        >
          {search.pathway}
        </Button>
      )}
      <Choice aria-label="Kind" none="All kinds" value={search.kind} options={KINDS} onChange={kind => set({ kind })} />
      <Choice
        aria-label="Time range"
        none="Any time"
        value={search.since}
        options={SINCE}
        onChange={since => set({ since, from: undefined, to: undefined })}
      />
      {search.since === 'dates' &&
        (['from', 'to'] as const).map(name => (
          <TextInput
            key={name}
            type="date"
            aria-label={name === 'from' ? 'First day' : 'Last day'}
            value={search[name] ?? ''}
            onChange={event => set({ [name]: event.currentTarget.value || undefined })}
          />
        ))}
      <Choice
        aria-label="Sort order"
        value={search.sort ?? 'newest'}
        options={SORTS}
        onChange={sort => set({ sort })}
      />
      <Checkbox
        label="Child runs"
        checked={search.children === true}
        onChange={event => set({ children: event.currentTarget.checked || undefined })}
      />
    </div>
  )
}

interface DelayedTextProps {
  label: string
  value: string | undefined
  onChange: (text: string) => void
}

/** Delay in milliseconds after the last keystroke before the list updates. */
const TYPING_MS = 300

/** A text field that takes effect when the person stops typing. */
function DelayedText({ label, value = '', onChange }: DelayedTextProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return undefined
    const timer = setTimeout(() => onChange(text), TYPING_MS)
    return () => clearTimeout(timer)
    // Only typing restarts the delay.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [text])
  return <TextInput aria-label={label} placeholder={label} {...bindField(text, setText)} />
}
