import { Button, SegmentedControl, UnstyledButton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useState } from 'react'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { toSpaced } from '../parts/names.ts'
import { Page } from '../parts/page.tsx'
import { ScrollTable } from '../parts/scroll-table.tsx'
import { Status } from '../parts/status.tsx'
import { useSetSearch } from '../parts/use-set-search.ts'
import { When } from '../parts/when.tsx'
import { useSignedIn } from '../service/signed-in.tsx'
import { type AutomationGraph, type AutomationTrigger, useAutomationsQuery } from './queries.ts'
import { readAutomationsSearch } from './search.ts'
import { TriggerPanel } from './trigger-panel.tsx'

const TriggerGraph = lazy(() => import('./trigger-graph.tsx'))
const TriggerForm = lazy(() => import('./trigger-form.tsx'))
const route = getRouteApi('/automations')

/** What starts runs by itself: the triggers as a list or as a graph with what they start, and the chosen one beside it. */
export function Automations() {
  const { view, trigger: chosenId } = route.useSearch()
  const { data, error, refetch } = useQuery(useAutomationsQuery())
  const { can } = useSignedIn()
  const [isMaking, setMaking] = useState(false)
  const set = useSetSearch(readAutomationsSearch)
  const select = useCallback((trigger: string | undefined) => set({ trigger }), [set])
  const chosen = data?.triggers.find(({ id, slug }) => id === chosenId || slug === chosenId)
  return (
    <Page
      title="Automations"
      isWide
      actions={
        <>
          <Views view={view} onChange={view => set({ view })} />
          {can('resources:write') && (
            <Button size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(!isMaking)}>
              New trigger
            </Button>
          )}
        </>
      }
    >
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {isMaking && (
        <section className="pane run-box start" aria-label="New trigger">
          <Suspense fallback={<Loading />}>
            <TriggerForm
              onSaved={id => {
                setMaking(false)
                select(id)
              }}
            />
          </Suspense>
        </section>
      )}
      {data?.triggers.length === 0 && (
        <Empty title="No triggers">
          A trigger starts runs by itself: at times, on requests, on messages or on events.
        </Empty>
      )}
      {data && data.triggers.length > 0 && (
        <div className="run-nodes" data-chosen={chosen !== undefined || undefined}>
          <section className="pane run-view" aria-label="Triggers">
            {view === 'graph' ? (
              <Suspense fallback={<Loading />}>
                <TriggerGraph graph={data} selected={chosen?.id} onSelect={select} />
              </Suspense>
            ) : (
              <TriggerTable graph={data} selected={chosen?.id} onSelect={select} />
            )}
          </section>
          {chosen && <TriggerPanel key={chosen.id} trigger={chosen} onClose={() => select(undefined)} />}
        </div>
      )}
    </Page>
  )
}

const Views = ({ view, onChange }: { view: 'graph' | undefined; onChange: (view: 'graph' | undefined) => void }) => (
  <SegmentedControl
    size="xs"
    aria-label="View of the triggers"
    value={view ?? 'list'}
    onChange={value => onChange(value === 'graph' ? 'graph' : undefined)}
    data={[
      { value: 'list', label: 'List' },
      { value: 'graph', label: 'Graph' },
    ]}
  />
)

export interface TriggersProps {
  graph: AutomationGraph
  selected: string | undefined
  onSelect: (id: string) => void
}

const TriggerTable = ({ graph: { triggers, edges }, selected, onSelect }: TriggersProps) => (
  <ScrollTable label="List of triggers" columns={['Trigger', 'Health', 'Starts', 'Last', 'Next', 'In 24 hours']}>
    {triggers.map(trigger => (
      <tr key={trigger.id}>
        <td className="table-main">
          <UnstyledButton
            className="table-link"
            fz="sm"
            aria-pressed={trigger.id === selected}
            onClick={() => onSelect(trigger.id)}
          >
            {trigger.title}
          </UnstyledButton>
          <span className="item-note">{trigger.trigger_type}</span>
        </td>
        <td>
          <Status status={toSpaced(trigger.health)} />
        </td>
        <td>{toTargetName(edges.find(({ from }) => from === trigger.id)?.to)}</td>
        <td className="table-fixed">{trigger.last_fired_at && <When time={trigger.last_fired_at} />}</td>
        <td className="table-fixed">{trigger.next_fire_at && <When time={trigger.next_fire_at} />}</td>
        <td className="table-main">{toCounts(trigger)}</td>
      </tr>
    ))}
  </ScrollTable>
)

type Target = AutomationGraph['edges'][number]['to']

const toTargetName = (target: Target | undefined): string =>
  target ? `${target.title ?? target.ref} (${target.type})` : ''

const toCounts = ({ counts }: AutomationTrigger): string =>
  Object.entries(counts)
    .map(([decision, count]) => `${count} ${toSpaced(decision)}`)
    .join(', ') || '–'
