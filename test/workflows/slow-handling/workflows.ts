import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import { waitUntil } from '../../../workflows/shared/turns.ts'
import { passMicrotasks } from './microtasks.ts'

type Activities = Record<'short' | 'long' | 'afterShort' | 'afterLong', () => Promise<void>>
const local = proxyLocalActivities<Activities>({ startToCloseTimeout: '1 second' })
const regular = proxyActivities<Activities>({ startToCloseTimeout: '1 second' })

/** Runs a local activity next to a regular one whose result takes many microtasks to handle. */
export async function manyMicrotasks(): Promise<void> {
  await Promise.all([
    local.short().then(() => regular.afterShort()),
    regular
      .long()
      .then(() => passMicrotasks())
      .then(() => regular.afterLong()),
  ])
}

/** Does the same with a chain of conditions that starts when the result arrives. */
export async function manyConditions(): Promise<void> {
  let state = 0
  const next = async (from: number) => {
    await waitUntil(() => state === from)
    await passMicrotasks()
    state++
  }
  const handleLong = async () => {
    await regular.long()
    await passMicrotasks()
    state = 1
    await waitUntil(() => state === 4)
    await regular.afterLong()
  }
  // Blocks on the later conditions of the chain first.
  await Promise.all([next(3), next(2), next(1), local.short().then(() => regular.afterShort()), handleLong()])
}
