import { createHash, randomInt } from 'node:crypto'
import { writeAudit } from '../../data/audit/audit-store.ts'
import {
  deleteAccount,
  findAccount,
  findAccountOf,
  insertAccount,
  type LinkedAccount,
  listAccounts,
  saveLinkCode,
  takeLinkCode,
} from '../../data/channels/channel-accounts-store.ts'
import type { Channel } from '../../data/channels/channels-store.ts'
import { deleteMessagesTo } from '../../data/channels/channel-messages-store.ts'
import type { Database, Tx } from '../../data/shared/database.ts'
import type { ChannelAccountView, LinkCode } from '../../contract/channels/channel-account.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { buildChannelCredential } from '../../domain/channels/channel.ts'
import { Conflict, NotFound } from '../../domain/shared/errors.ts'
import { ensureNotificationRule } from './notifications/rules.ts'
import { getChannel } from './open-channel.ts'

/** The accounts of members at messaging services. Methods throw NotFound for unknown channels. */
export interface ChannelAccountsService {
  /** Lists the channels of the workspace, with the caller's accounts. */
  list(principal: Principal): Promise<ChannelAccountView[]>
  /** Creates a one-time code that links an account to the caller. Throws Conflict if the caller has an account. */
  createCode(principal: Principal, channelName: string): Promise<LinkCode>
  /** Removes the link between the caller and the account. */
  remove(principal: Principal, channelName: string): Promise<void>
}

const CODE_MINUTES = 10
/** Without letters and digits that look alike. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
const CODE_CHARS = 8

export function createChannelAccounts({ db }: { db: Database }): ChannelAccountsService {
  return {
    async list({ workspace_id, actor }) {
      const accounts = await db.inWorkspace(workspace_id, tx => listAccounts(tx, actor))
      return accounts.map(present)
    },

    createCode: ({ workspace_id, actor }, channelName) =>
      db.inWorkspace(workspace_id, async tx => {
        const channel = await getChannel(tx, channelName)
        const { id: channel_id } = channel
        const linked = await findAccountOf(tx, channel_id, actor)
        if (linked) throw new Conflict(`Your account ${linked.external_id} is already linked: unlink it first`)
        const problem = findLinkProblem(channel)
        if (problem !== undefined) throw new Conflict(problem)
        const code = createCode()
        const expires_at = new Date(Date.now() + CODE_MINUTES * 60_000).toISOString()
        await saveLinkCode(tx, { channel_id, actor, code_hash: hashCode(code), expires_at })
        return { code, expires_at, instructions: describeSteps(channel, code) }
      }),

    remove: (principal, channelName) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const { id, name } = await getChannel(tx, channelName)
        const before = await findAccountOf(tx, id, principal.actor)
        if (!before) throw new NotFound('Your account in this channel')
        await deleteAccount(tx, id, principal.actor)
        await deleteMessagesTo(tx, principal.actor, id)
        await writeAudit(tx, principal, { action: 'channel_account.delete', target: name, before })
      }),
  }
}

/**
 * Links an account to the member whose code it sent, and notifies the member of tasks there. Returns the reply to the
 * person who sent the code.
 */
export async function linkAccount(
  tx: Tx,
  channel: { id: string; name: string },
  externalId: string,
  code: string,
): Promise<string> {
  const { id: channel_id, name } = channel
  const actor = await takeLinkCode(tx, channel_id, hashCode(code))
  if (actor === undefined) {
    // The service may send an event again whose code has been used.
    const linked = await findAccount(tx, channel_id, externalId)
    return linked ? describeLinked(linked.actor) : UNKNOWN_CODE
  }
  const after = { channel_id, external_id: externalId, actor }
  if (!(await insertAccount(tx, after))) return ALREADY_LINKED
  await ensureNotificationRule(tx, actor, channel_id)
  const author = { actor, person: actor, key_id: buildChannelCredential(channel_id) }
  await writeAudit(tx, author, { action: 'channel_account.create', target: name, after })
  return describeLinked(actor)
}

const UNKNOWN_CODE =
  'The code is unknown or has expired. In Ganglion, open Settings, Notifications, and create another code.'
const ALREADY_LINKED =
  'This account belongs to another member, or you have linked another account. In Ganglion, open Settings, Notifications, and unlink it first.'

const describeLinked = (actor: string): string => `Your account is linked to ${actor}. You now receive your tasks here.`

const present = ({ settings, ...account }: LinkedAccount): ChannelAccountView => ({
  ...account,
  is_linkable: findLinkProblem({ type: account.type, settings }) === undefined,
})

/** Returns why members can't link accounts. Returns undefined for a channel that receives messages. */
function findLinkProblem({ settings, type }: Pick<Channel, 'settings' | 'type'>): string | undefined {
  if (type === 'teams' || type === 'web_push') return 'The channel has no accounts to link'
  return 'imap' in settings && settings.imap === null
    ? 'The channel receives no mail: it sends your tasks to the address in your profile'
    : undefined
}

const describeSteps = ({ settings }: Channel, code: string): string =>
  'from' in settings
    ? `Send a mail with this subject to ${settings.from} within ${CODE_MINUTES} minutes: link ${code}`
    : `Send this direct message to the Slack app within ${CODE_MINUTES} minutes: link ${code}`

const LINK = /^link\s+(?<code>[a-z0-9]{8})$/iu

/** Returns the code in a message that links an account. */
export const findLinkCode = (text: string): string | undefined => LINK.exec(text.trim())?.groups?.['code']

const createCode = () => Array.from({ length: CODE_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

const hashCode = (code: string) => createHash('sha256').update(code.toUpperCase()).digest()
