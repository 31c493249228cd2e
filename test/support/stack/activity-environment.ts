import type { Info } from '@temporalio/activity'
import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import { PATIENCE_MS } from './process.ts'

/** Temporal's own environment for activities outside a worker, without its log lines about failures that are meant. */
export const activityEnvironment = (info: Partial<Info> = {}): MockActivityEnvironment =>
  new MockActivityEnvironment(
    { startToCloseTimeoutMs: PATIENCE_MS, ...info },
    { logger: new DefaultLogger('ERROR', () => undefined) },
  )
