import { listBoundReceptors } from '../../data/channels/bindings-store.ts'
import { lockChannels } from '../../data/channels/channels-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import { requirePermission } from '../../domain/access/rights.ts'
import { type ChannelBinding, isOpenToAnyone, overlaps } from '../../domain/channels/binding.ts'
import type { ReceptorDocument } from '../../domain/resources/kinds/receptors.ts'
import { isJsonObject, type Problem } from '../../domain/shared/json/json.ts'
import { targetProblems } from '../pathways/references.ts'
import type { KindRule } from '../resources/saving.ts'

/** Checks that a receptor's target exists, and its bindings. */
export const receptorRule: KindRule = async (tx, principal, document, selfId) => {
  const { target } = document as Partial<ReceptorDocument>
  const problems = isJsonObject(target) ? await targetProblems(tx, principal, target, '/target/ref') : []
  return [...problems, ...(await bindingRule(tx, principal, document, selfId))]
}

/**
 * Checks that a receptor's channels exist, and that no other receptor answers the same messages. Throws Forbidden if
 * the receptor would answer people without an account, and the caller may not share receptors.
 */
export const bindingRule: KindRule = async (tx, principal, document, selfId) => {
  const { channels = [] } = document as Partial<ReceptorDocument>
  if (channels.some(isOpenToAnyone)) requirePermission(principal, 'shares:manage')
  return bindingProblems(tx, channels, selfId)
}

async function bindingProblems(tx: Tx, bindings: ChannelBinding[], selfId?: string): Promise<Problem[]> {
  if (bindings.length === 0) return []
  const names = [...new Set(bindings.map(({ channel }) => channel))]
  const channels = new Map((await lockChannels(tx, names)).map(channel => [channel.name, channel]))
  const others = await listBoundReceptors(tx, names)
  return bindings.flatMap((binding, i) => {
    const pointer = `/channels/${i}/channel`
    const channel = channels.get(binding.channel)
    if (!channel)
      return [{ pointer, message: `must be the name of a channel, and "${binding.channel}" does not exist` }]
    if (channel.type !== binding.type)
      return [{ pointer: `/channels/${i}/type`, message: `must be ${channel.type}, the type of the channel` }]
    const other = others.find(
      ({ id, document }) =>
        id !== selfId && (document as ReceptorDocument).channels.some(existing => overlaps(existing, binding)),
    )
    return other ? [{ pointer, message: `is already answered by the receptor "${other.slug}"` }] : []
  })
}
