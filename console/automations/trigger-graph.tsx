import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { DEFAULT_PORT, type Graph } from '../graph/graph.ts'
import { GraphView } from '../graph/graph-view.tsx'
import { toSpaced } from '../parts/names.ts'
import type { TriggersProps } from './automations.tsx'
import type { AutomationGraph } from './queries.ts'

/** The triggers with their health, and an edge from each to what it starts. A pathway leads to its page. */
export default function TriggerGraph({ graph: automations, selected, onSelect }: TriggersProps) {
  const navigate = useNavigate()
  const { graph, statuses, pathways } = useMemo(() => toParts(automations), [automations])
  const select = useCallback(
    (id: string) => {
      const pathwayId = pathways.get(id)
      if (statuses.has(id)) onSelect(id)
      else if (pathwayId !== undefined) void navigate({ to: '/pathways/$pathwayId', params: { pathwayId } })
    },
    [navigate, onSelect, pathways, statuses],
  )
  const statusOf = useCallback((id: string) => statuses.get(id), [statuses])
  return (
    <div className="graph">
      <GraphView
        graph={graph}
        label="Triggers and what they start"
        selected={selected}
        onSelect={select}
        statusOf={statusOf}
      />
    </div>
  )
}

function toParts({ triggers, edges }: AutomationGraph) {
  const targets = new Map(edges.map(({ to }) => [toTargetId(to), to]))
  const graph: Graph = {
    direction: 'LR',
    nodes: [
      ...triggers.map(({ id, title, trigger_type = 'other' }) => ({ id, title, type: trigger_type })),
      ...[...targets].map(([id, { type, title, ref }]) => ({ id, title: title ?? `${ref} (missing)`, type })),
    ],
    edges: edges.map(({ from, to }) => ({ from, to: toTargetId(to), port: DEFAULT_PORT })),
  }
  const statuses = new Map(triggers.map(({ id, health }) => [id, toSpaced(health)]))
  const pathways = new Map(
    [...targets].flatMap(([id, { type, id: pathwayId }]) =>
      type === 'pathway' && pathwayId !== undefined ? [[id, pathwayId]] : [],
    ),
  )
  return { graph, statuses, pathways }
}

const toTargetId = ({ type, ref, id }: AutomationGraph['edges'][number]['to']) => `${type} ${id ?? ref}`
