import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import type { Database } from '../../../data/shared/database.ts'

/** What an activity changes has the id of its run as request id in the audit log. */
export const nameRequests =
  (db: Pick<Database, 'inRequest'>): ActivityInterceptorsFactory =>
  ({ info }) => ({
    inbound: {
      execute: (input, next) => db.inRequest(info.workflowExecution?.workflowId ?? '', () => next(input)),
    },
  })
