import {
  ApplicationFailure,
  condition,
  defineQuery,
  defineUpdate,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow'
import type { Activities } from './activities.ts'

/** Workflows that do the same work without Ganglion. */
export const answerUpdate = defineUpdate<string, [{ action: string }]>('answer')
export const askedQuery = defineQuery<boolean>('asked')

const { http } = proxyActivities<Activities>({ startToCloseTimeout: '1 minute', heartbeatTimeout: '5 seconds' })
const local = proxyLocalActivities<Activities>({ startToCloseTimeout: '1 minute' })

/** Sequential assignments. */
export async function transforms(count: number): Promise<number> {
  let value = 1
  for (let i = 1; i < count; i++) value = value + 1
  return value
}

/** Sequential calls, each using the result of the previous one. */
export async function calls(url: string, count: number): Promise<number> {
  let status = 0
  for (let i = 0; i < count; i++) status = (await http({ url, json: { i, status } })).status
  return status
}

export async function localCalls(url: string, count: number): Promise<number> {
  let status = 0
  for (let i = 0; i < count; i++) status = (await local.http({ url, json: { i, status } })).status
  return status
}

/** Waits for an answer, then makes a call. */
export async function approval(url: string): Promise<number> {
  let answered: string | undefined
  const check = ({ action }: { action: string }) => {
    if (answered || action !== 'approve') throw ApplicationFailure.nonRetryable('not now')
  }
  const take = ({ action }: { action: string }) => (answered = action)
  setHandler(answerUpdate, take, { validator: check })
  setHandler(askedQuery, () => answered === undefined)
  await condition(() => answered !== undefined)
  return (await http({ url, json: { answered } })).status
}
