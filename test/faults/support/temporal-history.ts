import { Client, Connection } from '@temporalio/client'
import type { Stack } from '../../support/stack/stack.ts'

/**
 * Returns why earlier attempts at a run's activities failed, as recorded by Temporal when it started the next
 * attempts.
 */
export async function lastFailures({ env }: Stack, jobId: string): Promise<(string | null | undefined)[]> {
  const connection = await Connection.connect({ address: env.TEMPORAL_ADDRESS })
  try {
    const client = new Client({ connection, namespace: env.TEMPORAL_NAMESPACE })
    const { events } = await client.workflow.getHandle(jobId).fetchHistory()
    return (events ?? []).flatMap(({ activityTaskStartedEventAttributes: started }) =>
      started?.lastFailure ? [started.lastFailure.applicationFailureInfo?.type ?? started.lastFailure.message] : [],
    )
  } finally {
    await connection.close()
  }
}
