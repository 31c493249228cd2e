import type { Info } from '@temporalio/activity'
import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'

/** Temporal's own environment for activities outside a worker, without its log lines about failures that are meant. */
export const activityEnvironment = (info: Partial<Info> = {}): MockActivityEnvironment =>
  new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR', () => undefined) })
