import { workflowInfo } from '@temporalio/workflow'
import { REQUESTER } from '../attributes.ts'
import { perRun } from './per-run.ts'

/** The server refuses longer ids. */
const MAX_ID_CHARS = 900

/**
 * The ids of a run's activities, as the Temporal UI shows them: the node key, and `credit#2` for the second activity of
 * one key. Runs of former versions keep the numbers of the SDK, because a replay compares ids.
 */
class ActivityIds {
  private readonly used = new Map<string, number>()

  /** Returns the id of the next activity of a key. */
  next(key: string): string | undefined {
    if (workflowInfo().typedSearchAttributes.get(REQUESTER) === undefined) return undefined
    const name = key.slice(0, MAX_ID_CHARS)
    const count = (this.used.get(name) ?? 0) + 1
    this.used.set(name, count)
    return count === 1 ? name : `${name}#${count}`
  }
}

export const getActivityIds = perRun(() => new ActivityIds())
