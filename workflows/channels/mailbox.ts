import { proxyActivities, sleep } from '@temporalio/workflow'
import type { ChannelActivities } from '../../activities/types.ts'
import { DELIVERY_OPTIONS } from '../shared/steps/activity-options.ts'
import type { MailboxInput } from './messages.ts'

/** Keeps the history short. The mailbox's row then starts another run. */
const MAX_READS = 200

/** Reads the mailbox of a channel at intervals. The mailbox's row stores the position. */
export async function mailbox(input: MailboxInput): Promise<void> {
  const { readMailbox } = proxyActivities<ChannelActivities>({
    startToCloseTimeout: '10 minutes',
    ...DELIVERY_OPTIONS,
  })
  for (let reads = 1; reads <= MAX_READS; reads++) {
    const is_last = reads === MAX_READS
    const { next_in_ms } = await readMailbox({ ...input, is_last })
    if (next_in_ms === null || is_last) return
    await sleep(next_in_ms, { summary: 'next read' })
  }
}
