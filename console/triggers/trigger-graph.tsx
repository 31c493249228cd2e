import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { GraphView } from '../pathways/graph/graph-view.tsx'
import { DEFAULT_PORT, type Graph } from '../pathways/graph/graph.ts'
import type { TriggersProps } from './automations.tsx'

/** Triggers with their health, and an edge from each to its target. A pathway links to its page. */
export default function TriggerGraph({ graph: { triggers, edges }, selected, onSelect }: TriggersProps) {
  const navigate = useNavigate()
  const targets = useMemo(() => new Map(edges.map(({ to }) => [buildTargetId(to), to])), [edges])
  const graph = useMemo<Graph>(
    () => ({
      direction: 'LR',
      nodes: [
        ...triggers.map(({ id, title, trigger_type = 'other' }) => ({ id, title, type: trigger_type })),
        ...[...targets].map(([id, { type, title, ref }]) => ({ id, title: title ?? `${ref} (missing)`, type })),
      ],
      edges: edges.map(({ from, to }) => ({ from, to: buildTargetId(to), port: DEFAULT_PORT })),
    }),
    [triggers, edges, targets],
  )
  const select = useCallback(
    (id: string) => {
      const target = targets.get(id)
      if (!target) onSelect(id)
      else if (target.type === 'pathway' && target.id !== undefined)
        void navigate({ to: '/pathways/$pathwayId', params: { pathwayId: target.id } })
    },
    [navigate, onSelect, targets],
  )
  const stateOf = useCallback(
    (id: string) => ({ status: triggers.find(trigger => trigger.id === id)?.health }),
    [triggers],
  )
  return (
    <GraphView
      graph={graph}
      label="Triggers and their targets"
      selected={selected}
      onSelect={select}
      stateOf={stateOf}
    />
  )
}

const buildTargetId = ({ type, ref, id }: TriggersProps['graph']['edges'][number]['to']) => `${type} ${id ?? ref}`
