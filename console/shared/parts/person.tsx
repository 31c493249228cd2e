import type { Ganglion } from '@ganglion/client'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { isActorName } from '../../../domain/access/principal.ts'
import { useSignedIn } from '../service/signed-in.tsx'
import { formatActor } from './names.ts'

/** A person's display name, or the actor name if the person has none. The title is the actor name. */
export function Person({ actor }: { actor: string }) {
  const { ganglion } = useSignedIn()
  const { data } = useQuery({
    queryKey: ['members', 'name', actor],
    queryFn: () => loadName(ganglion, actor),
    enabled: canLookUp(actor),
    staleTime: 300_000,
  })
  return <span title={actor}>{data ?? formatActor(actor)}</span>
}

/** People in a sentence, separated by commas. */
export const People = ({ actors }: { actors: string[] }) =>
  actors.map((actor, i) => (
    <Fragment key={actor}>
      {i > 0 && ', '}
      <Person actor={actor} />
    </Fragment>
  ))

/** Returns whether a name can belong to a member, and can be listed in a query. */
const canLookUp = (actor: string): boolean => isActorName(actor) && !actor.includes(',')

const MAX_NAMES = 50

interface Batch {
  actors: Set<string>
  reply: Promise<Map<string, string>>
}

/** Names that the next request looks up. */
const batches = new WeakMap<Ganglion, Batch>()

/** Looks up the names on a page together. */
async function loadName(ganglion: Ganglion, actor: string): Promise<string | null> {
  let batch = batches.get(ganglion)
  if (!batch || batch.actors.size >= MAX_NAMES) batch = startBatch(ganglion)
  batch.actors.add(actor)
  return (await batch.reply).get(actor) ?? null
}

function startBatch(ganglion: Ganglion): Batch {
  const actors = new Set<string>()
  const reply = new Promise<void>(resolve => setTimeout(resolve)).then(async () => {
    if (batches.get(ganglion) === batch) batches.delete(ganglion)
    const { data } = await ganglion.members.names({ actors: [...actors] })
    return new Map(data.map(({ actor, display_name }) => [actor, display_name]))
  })
  const batch = { actors, reply }
  batches.set(ganglion, batch)
  return batch
}
