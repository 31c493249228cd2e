import type { Info } from '@temporalio/activity'
import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import { PATIENCE_MS } from './process.ts'

/** Temporal's mock environment for activities outside a worker, without log lines about intended failures. */
export const activityEnvironment = (info: Partial<Info> = {}): MockActivityEnvironment =>
  new MockActivityEnvironment(
    { startToCloseTimeoutMs: PATIENCE_MS, ...info },
    { logger: new DefaultLogger('ERROR', () => undefined) },
  )
