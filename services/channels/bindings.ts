import { type BoundReceptor, listBoundReceptors } from '../../data/channels/bindings-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import type { ChannelBinding } from '../../domain/channels/binding.ts'
import type { ReceptorDocument } from '../../domain/resources/kinds/receptors.ts'

/** A receptor that answers in a channel. */
export interface Binding extends Pick<BoundReceptor, 'id' | 'slug' | 'brain_id'> {
  binding: ChannelBinding
}

/** Lists the bindings of receptors to channels, oldest receptor first. */
export async function listBindings(tx: Tx, channels: string[]): Promise<Binding[]> {
  const receptors = await listBoundReceptors(tx, channels)
  return receptors.flatMap(({ id, slug, brain_id, document }) =>
    (document as ReceptorDocument).channels
      .filter(({ channel }) => channels.includes(channel))
      .map(binding => ({ id, slug, brain_id, binding })),
  )
}
