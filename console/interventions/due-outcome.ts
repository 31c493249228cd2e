import type { Intervention, PathwayDefinition } from '@ganglion/client'
import { useQuery } from '@tanstack/react-query'
import { useSignedIn } from '../service/signed-in.tsx'

/** Returns the title of the node with which a run goes on when no one answers in time, if it says so. */
export function useDueOutcome({ job_id, node_id, due_at, status, root_job }: Intervention): string | undefined {
  const { ganglion } = useSignedIn()
  const { data } = useQuery({
    queryKey: ['definition', job_id],
    queryFn: () => ganglion.jobs.definition(job_id),
    enabled: status === 'open' && due_at !== undefined && root_job?.kind === 'pathway',
    staleTime: Infinity,
  })
  return data?.definition && findTarget(data.definition, node_id)
}

interface Graph {
  nodes: { id: string; title?: string; body?: Graph }[]
  edges?: { from: string; on?: string; to: string }[]
}

/** The node behind the port `timeout`, in the graph or in the body of a node. */
function findTarget(definition: PathwayDefinition, nodeId: string): string | undefined {
  const open: Graph[] = [definition]
  for (let graph = open.pop(); graph; graph = open.pop()) {
    const { nodes, edges = [] } = graph
    const edge = edges.find(({ from, on }) => from === nodeId && on === 'timeout')
    if (edge) return nodes.find(({ id }) => id === edge.to)?.title ?? edge.to
    open.push(...nodes.flatMap(({ body }) => body ?? []))
  }
  return undefined
}
