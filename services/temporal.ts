import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  isGrpcDeadlineError,
  isGrpcServiceError,
  makeGrpcRetryInterceptor,
  type WorkflowHandle,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client'
import type { DataConverter } from '@temporalio/common'
import type { Config } from '../config/config.ts'
import { Unavailable } from '../domain/errors.ts'

/**
 * Numbers of gRPC status codes (grpc.io/docs/guides/status-codes) that mean: nobody there, or not now. Among the latter
 * are 9 and 10, for a run whose worker was just lost.
 */
const AWAY = new Set([4, 8, 9, 10, 14])

export interface Temporal {
  client: Client
  taskQueue: string
  uiUrl(jobId: string): string
  /** Runs a call with a deadline. Throws Unavailable when Temporal is away or too slow. */
  call<T>(work: (client: Client) => Promise<T>, timeoutMs?: number): Promise<T>
  handle(jobId: string): WorkflowHandle
  ping(): Promise<void>
  close(): Promise<void>
}

const CALL_TIMEOUT = 3_000
/** Spread over two seconds: a caller hears of Temporal's absence soon, also where the deadline is far. */
const ATTEMPTS = 5

/** A client that connects when first used, and again whenever Temporal comes back. */
export function openTemporal(config: Config, options: { dataConverter?: DataConverter } = {}): Temporal {
  const connection = Connection.lazy({
    address: config.TEMPORAL_ADDRESS,
    ...credentialsOf(config),
    connectTimeout: CALL_TIMEOUT,
    interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ maxAttempts: ATTEMPTS }))],
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 1_000,
      'grpc.keepalive_permit_without_calls': 1,
      'grpc.keepalive_time_ms': 30_000,
      'grpc.keepalive_timeout_ms': 5_000,
    },
  })
  const client = new Client({ connection, namespace: config.TEMPORAL_NAMESPACE, dataConverter: options.dataConverter })
  const call: Temporal['call'] = async (work, timeoutMs = CALL_TIMEOUT) => {
    try {
      return await connection.withDeadline(Date.now() + timeoutMs, () => work(client))
    } catch (error) {
      throw isAway(error) ? new Unavailable(undefined, { cause: error }) : error
    }
  }
  return {
    client,
    taskQueue: config.TEMPORAL_TASK_QUEUE,
    uiUrl: jobId =>
      `${config.TEMPORAL_UI_URL}/namespaces/${config.TEMPORAL_NAMESPACE}/workflows/${encodeURIComponent(jobId)}`,
    call,
    handle: jobId => client.workflow.getHandle(jobId),
    ping: async () => {
      await call(({ connection: open }) => open.workflowService.getSystemInfo({}), 1_000)
    },
    close: () => connection.close(),
  }
}

/** How a connection to Temporal proves itself. */
export function credentialsOf({ TEMPORAL_TLS, TEMPORAL_API_KEY }: Config): { tls: boolean; apiKey?: string } {
  return { tls: TEMPORAL_TLS || TEMPORAL_API_KEY !== undefined, ...(TEMPORAL_API_KEY && { apiKey: TEMPORAL_API_KEY }) }
}

/** The failure says Temporal could not be reached or did not answer in time, not that it refused. */
export function isAway(error: unknown): boolean {
  if (isGrpcDeadlineError(error) || error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true
  if (isGrpcServiceError(error)) return AWAY.has(error.code)
  return error instanceof Error && error.cause !== undefined && isAway(error.cause)
}
