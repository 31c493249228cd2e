import type { Logger } from 'pino'
import { findOwnWorkspace, type Workspace } from '../../../data/access/access-store.ts'
import { noteResult } from '../../../data/channels/channels-store.ts'
import { type MailboxPosition, saveRead, takeMailbox } from '../../../data/channels/mailboxes-store.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import type { ImapServer, MailboxRead } from '../../../domain/channels/channel.ts'
import { isTransient } from '../../../domain/shared/errors.ts'
import type { Encryption } from '../../shared/encryption/encryption.ts'
import { ChannelError } from '../channel-type.ts'
import { findOpenedChannel, type OpenedChannel } from '../open-channel.ts'
import { parseMail } from './parse.ts'
import { MAX_MAIL_BYTES, MAX_PER_CHANNEL, type MailResult, type ReceiveMail } from './receive-mail.ts'
import type { MailServers, OpenMailbox } from './servers.ts'

/**
 * Reads new messages of a channel's mailbox, a few at a time. The position is stored after each message. Repeating a
 * read has no further effect. Throws only if a component is unavailable.
 * @param isLast whether the workflow ends, so that the next read needs another one
 */
export type ReadMailbox = (
  mailbox: { workspace_id: string; channel_id: string },
  isLast: boolean,
  signal: AbortSignal,
) => Promise<MailboxRead>

interface Deps {
  db: Database
  encryption: Encryption
  servers: MailServers
  receiveMail: ReceiveMail
  pollSeconds: number
  log: Logger
}

const MAX_MESSAGES = 20
const MAX_WAITING = 1_000
const FAILED_SECONDS = 60
const LIMITED_SECONDS = 300
/** If a workflow does not continue for this time, another one is started. */
const GRACE_SECONDS = 120
const READ_SECONDS = 600
const MAX_CLOCK_SKEW_MS = 60_000
const DAY_MS = 86_400_000

/** The start of failures that a successful read ends. */
const SOURCE = 'IMAP'
const SKIPPED = 'The mail could not be processed. The log of the worker contains the cause'
const LIMITED = `IMAP: more than ${MAX_PER_CHANNEL} messages arrived in an hour. The next ones are read later`
const WAITING = 'IMAP: the plan allows no more open runs. Messages that start a run are answered later'

export function createReadMailbox(deps: Deps): ReadMailbox {
  const { db, encryption, servers, pollSeconds } = deps

  /** Returns the seconds until the next read. */
  async function read(
    imap: ImapServer,
    opened: Opened,
    inWorkspace: InWorkspace,
    signal: AbortSignal,
  ): Promise<number> {
    const { id, credentials } = opened.channel
    try {
      const result = await servers.withMailbox(imap, credentials.imap_password ?? '', signal, mailbox =>
        readNew(deps, { ...opened, mailbox, inWorkspace }, signal),
      )
      const failure = { complete: null, partial: null, limited: LIMITED, waiting: WAITING }[result]
      await inWorkspace(tx => noteResult(tx, id, failure, SOURCE))
      return { complete: pollSeconds, partial: 0, limited: LIMITED_SECONDS, waiting: pollSeconds }[result]
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ChannelError)) throw error
      await inWorkspace(tx => noteResult(tx, id, error.failure.message))
      return FAILED_SECONDS
    }
  }

  return async ({ workspace_id, channel_id }, isLast, signal) => {
    const inWorkspace: InWorkspace = work => db.inWorkspace(workspace_id, work)
    const opened = await inWorkspace(async tx => {
      const position = await takeMailbox(tx, channel_id, READ_SECONDS)
      const channel = position && (await findOpenedChannel(tx, encryption, channel_id))
      const workspace = channel && (await findOwnWorkspace(tx, workspace_id))
      return workspace && channel.type === 'email' ? { position, channel, workspace } : undefined
    })
    const imap = opened?.channel.settings.imap
    if (!opened || !imap) return { next_in_ms: null }
    const seconds = await read(imap, opened, inWorkspace, signal)
    await inWorkspace(tx => takeMailbox(tx, channel_id, seconds + (isLast ? 0 : GRACE_SECONDS)))
    return { next_in_ms: seconds * 1_000 }
  }
}

type InWorkspace = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

interface Opened {
  workspace: Workspace
  channel: OpenedChannel<'email'>
  position: MailboxPosition
}

interface Reading extends Opened {
  inWorkspace: InWorkspace
  mailbox: OpenMailbox
}

async function readNew(
  { receiveMail, log: parentLog }: Deps,
  { inWorkspace, workspace, channel, position, mailbox }: Reading,
  signal: AbortSignal,
): Promise<'complete' | 'partial' | 'limited' | 'waiting'> {
  const log = parentLog.child({ channel_id: channel.id })
  const { uid_validity } = mailbox
  const isSame = position.uid_validity === uid_validity
  const lastUid = isSame ? position.last_uid : null
  const readFrom = Date.parse(position.read_from) - MAX_CLOCK_SKEW_MS
  const uids = await (lastUid === null ? mailbox.listSince(new Date(readFrom - DAY_MS)) : mailbox.listAfter(lastUid))
  let waiting_uids = isSame ? position.waiting_uids : []

  const save = (last_uid: number | null) =>
    inWorkspace(tx => saveRead(tx, channel.id, { uid_validity, last_uid, waiting_uids }))

  async function receive(uid: number, mayStart: boolean): Promise<MailResult> {
    signal.throwIfAborted()
    const stored = await mailbox.read(uid, MAX_MAIL_BYTES)
    // The search has the precision of a day.
    if (!stored || (lastUid === null && stored.arrived_at.getTime() < readFrom)) return 'handled'
    const mail = await parseMail(stored, channel.settings, log)
    try {
      return await receiveMail(workspace, channel, mail, mayStart)
    } catch (err) {
      if (isTransient(err)) throw err
      // Another attempt would fail again, and the mail behind it would never be read.
      log.error({ err }, 'a mail is skipped')
      return receiveMail(workspace, channel, { ...mail, report: undefined, automatic: SKIPPED }, mayStart)
    }
  }

  for (const uid of waiting_uids.slice(0, MAX_MESSAGES)) {
    const result = await receive(uid, true)
    if (result === 'limited') return 'limited'
    if (result === 'waiting') break
    waiting_uids = waiting_uids.slice(1)
    await save(lastUid)
  }
  // Mail that starts no run does not wait, such as an answer to a task.
  for (const uid of uids.slice(0, MAX_MESSAGES)) {
    const result = await receive(uid, waiting_uids.length === 0)
    if (result === 'limited' || (result === 'waiting' && waiting_uids.length === MAX_WAITING)) return result
    if (result === 'waiting') waiting_uids = [...waiting_uids, uid]
    await save(uid)
  }
  if (uids.length > MAX_MESSAGES) return 'partial'
  return waiting_uids.length > 0 ? 'waiting' : 'complete'
}
