import type { Schema } from '@ganglion/client'
import { Button, UnstyledButton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { Status, When } from '../shared/parts/inline.tsx'
import { showLater } from '../shared/parts/loading.tsx'
import { replaceUnderscores } from '../shared/parts/names.ts'
import { Page } from '../shared/parts/page.tsx'
import { Empty, Read } from '../shared/parts/read.tsx'
import { ScrollTable } from '../shared/parts/tables.tsx'
import { useSetSearch } from '../shared/parts/use-set-search.ts'
import { Views } from '../shared/parts/views.tsx'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useRead } from '../shared/service/use-service.ts'
import { readAutomationsSearch } from './search.ts'
import { REFRESH_MS, TriggerPanel } from './trigger-panel.tsx'

const TriggerGraph = showLater(() => import('./trigger-graph.tsx'))
const TriggerForm = showLater(() => import('./trigger-form.tsx'))
const route = getRouteApi('/automations')
const MAX_LISTED = 200

/** Triggers as a list, or as a graph with their targets. The selected trigger is next to them. */
export function Automations() {
  const { view, trigger: chosenId } = route.useSearch()
  const automations = useRead(['triggers', 'graph'], ganglion => ganglion.automations.graph({ limit: MAX_LISTED }), {
    refetchInterval: REFRESH_MS,
  })
  const { can } = useSignedIn()
  const [isMaking, setMaking] = useState(false)
  const set = useSetSearch(readAutomationsSearch)
  const select = useCallback((trigger: string | undefined) => set({ trigger }), [set])
  const selectedTrigger = automations.data?.triggers.find(({ id, slug }) => id === chosenId || slug === chosenId)
  return (
    <Page
      title="Automations"
      isWide
      actions={
        <>
          <Views
            label="Trigger view"
            value={view ?? 'list'}
            views={{ list: 'List', graph: 'Graph' }}
            onChange={view => set({ view: view === 'list' ? undefined : view })}
          />
          {can('resources:write') && (
            <Button size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(!isMaking)}>
              New trigger
            </Button>
          )}
        </>
      }
    >
      {isMaking && (
        <section className="pane run-box start" aria-label="New trigger">
          <TriggerForm
            onSaved={id => {
              setMaking(false)
              select(id)
            }}
          />
        </section>
      )}
      <Read query={automations}>
        {graph =>
          graph.triggers.length === 0 ? (
            <Empty title="No triggers">
              A trigger starts runs automatically: on a schedule, a request, a message or an event.
            </Empty>
          ) : (
            <div className="run-nodes" data-chosen={selectedTrigger !== undefined || undefined}>
              <section className="pane run-view" aria-label="Triggers">
                {view === 'graph' ? (
                  <TriggerGraph graph={graph} selected={selectedTrigger?.id} onSelect={select} />
                ) : (
                  <TriggerTable graph={graph} selected={selectedTrigger?.id} onSelect={select} />
                )}
              </section>
              {selectedTrigger && (
                <TriggerPanel key={selectedTrigger.id} trigger={selectedTrigger} onClose={() => select(undefined)} />
              )}
            </div>
          )
        }
      </Read>
    </Page>
  )
}

export interface TriggersProps {
  graph: Schema<'AutomationGraph'>
  selected: string | undefined
  onSelect: (id: string) => void
}

function TriggerTable({ graph: { triggers, edges }, selected, onSelect }: TriggersProps) {
  const targets = new Map(edges.map(({ from, to }) => [from, `${to.title ?? to.ref} (${to.type})`]))
  return (
    <ScrollTable label="Triggers" columns={['Trigger', 'Health, last 24 hours', 'Starts', 'Last', 'Next']}>
      {triggers.map(({ id, title, trigger_type, health, last_fired_at, next_fire_at, counts }) => (
        <tr key={id}>
          <td className="table-main">
            <UnstyledButton className="table-link" fz="sm" aria-pressed={id === selected} onClick={() => onSelect(id)}>
              {title}
            </UnstyledButton>
            <span className="item-note">{trigger_type}</span>
          </td>
          <td>
            <Status status={health} />
            <span className="item-note">
              {Object.entries(counts)
                .map(([decision, count]) => `${count} ${replaceUnderscores(decision)}`)
                .join(', ') || 'no events'}
            </span>
          </td>
          <td>{targets.get(id)}</td>
          <td className="table-fixed">{last_fired_at && <When time={last_fired_at} />}</td>
          <td className="table-fixed">{next_fire_at && <When time={next_fire_at} />}</td>
        </tr>
      ))}
    </ScrollTable>
  )
}
