import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  isGrpcDeadlineError,
  isGrpcServiceError,
  makeGrpcRetryInterceptor,
  type TLSConfig,
  type WorkflowHandle,
  WorkflowNotFoundError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type WorkflowClientInterceptor,
} from '@temporalio/client'
import type { DataConverter, Headers } from '@temporalio/common'
import type { TemporalConfig } from '../../config/config.ts'
import { Unavailable } from '../../domain/shared/errors.ts'
import { SpanKind } from '@opentelemetry/api'
import { findTraceContext, inSpan, type SpanDetails } from '../../observability/spans.ts'
import { withTraceHeader } from '../../workflows/shared/steps/trace-header.ts'

/**
 * gRPC status codes (grpc.io/docs/guides/status-codes) for calls that may succeed later. 9 and 10 occur for a run
 * that has just lost its worker.
 */
const UNAVAILABLE_CODES = new Set([4, 8, 9, 10, 14])
const NOT_FOUND_CODES = new Set([5])
/** Temporal's message for an invalid argument. It is sent while a run is being deleted, after its history. */
const HISTORY_NOT_FOUND = 'Requested workflow history not found'

export interface Temporal {
  client: Client
  taskQueue: string
  /** Name of the worker deployment that builds belong to. */
  deploymentName: string
  uiUrl(jobId: string): string
  /** Runs a call with a deadline. Throws Unavailable if Temporal is unreachable or too slow. */
  call<T>(work: (client: Client) => Promise<T>, timeoutMs?: number): Promise<T>
  handle(jobId: string): WorkflowHandle
  ping(): Promise<void>
  close(): Promise<void>
}

const CALL_TIMEOUT_MS = 3_000
/** All attempts together take about two seconds, so a call fails early even if its deadline is long. */
const MAX_ATTEMPTS = 5

/** Opens a client that connects on first use and reconnects. */
export function openTemporal(config: TemporalConfig, options: { dataConverter?: DataConverter } = {}): Temporal {
  const connection = Connection.lazy({
    address: config.TEMPORAL_ADDRESS,
    ...readTemporalCredentials(config),
    connectTimeout: CALL_TIMEOUT_MS,
    interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ maxAttempts: MAX_ATTEMPTS }))],
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 1_000,
      'grpc.keepalive_permit_without_calls': 1,
      'grpc.keepalive_time_ms': 30_000,
      'grpc.keepalive_timeout_ms': 5_000,
    },
  })
  const client = new Client({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    dataConverter: options.dataConverter,
    interceptors: { workflow: [traceCalls] },
  })
  const call: Temporal['call'] = async (work, timeoutMs = CALL_TIMEOUT_MS) => {
    try {
      return await connection.withDeadline(Date.now() + timeoutMs, () => work(client))
    } catch (error) {
      throw isUnavailable(error) ? new Unavailable(undefined, { cause: error }) : error
    }
  }
  return {
    client,
    taskQueue: config.TEMPORAL_TASK_QUEUE,
    deploymentName: config.TEMPORAL_DEPLOYMENT_NAME ?? config.TEMPORAL_TASK_QUEUE,
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

/** Returns the connection settings for Temporal: either without TLS, or with TLS and the credentials for both sides. */
export function readTemporalCredentials(config: TemporalConfig): { tls: TLSConfig | false; apiKey?: string } {
  const { TEMPORAL_TLS_CA: ca, TEMPORAL_TLS_CERT: crt, TEMPORAL_TLS_KEY: key, TEMPORAL_API_KEY: apiKey } = config
  const tls: TLSConfig = {
    ...(ca !== undefined && { serverRootCACertificate: Buffer.from(ca) }),
    ...(crt !== undefined && key !== undefined && { clientCertPair: { crt: Buffer.from(crt), key: Buffer.from(key) } }),
    ...(config.TEMPORAL_TLS_SERVER_NAME !== undefined && { serverNameOverride: config.TEMPORAL_TLS_SERVER_NAME }),
  }
  const isTls = config.TEMPORAL_TLS || apiKey !== undefined || Object.keys(tls).length > 0
  return { tls: isTls && tls, ...(apiKey !== undefined && { apiKey }) }
}

/** Returns true if Temporal was unreachable or too slow, and false if Temporal rejected the call. */
function isUnavailable(error: unknown): boolean {
  if (isGrpcDeadlineError(error) || error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true
  if (isGrpcServiceError(error)) return UNAVAILABLE_CODES.has(error.code)
  return error instanceof Error && error.cause !== undefined && isUnavailable(error.cause)
}

/** Returns true if the called run does not exist in Temporal, or if its history is already deleted. */
export const isUnknownRun = (error: unknown): boolean =>
  error instanceof WorkflowNotFoundError ||
  (isGrpcServiceError(error) && (NOT_FOUND_CODES.has(error.code) || error.details.startsWith(HISTORY_NOT_FOUND)))

/** Traces calls to Temporal with Temporal's standard span names. Runs that are started continue the trace. */
const traceCalls: WorkflowClientInterceptor = {
  startWithDetails: (input, next) =>
    inSpan(describe(`StartWorkflow:${input.workflowType}`, input.options.workflowId), () =>
      next({ ...input, headers: carry(input.headers) }),
    ),
  startUpdate: (input, next) =>
    inSpan(describe(`StartWorkflowUpdate:${input.updateName}`, input.workflowExecution.workflowId), () => next(input)),
  signal: (input, next) =>
    inSpan(describe(`SignalWorkflow:${input.signalName}`, input.workflowExecution.workflowId), () => next(input)),
  describe: (input, next) =>
    inSpan(describe('DescribeWorkflow', input.workflowExecution.workflowId), () => next(input)),
  cancel: (input, next) => inSpan(describe('CancelWorkflow', input.workflowExecution.workflowId), () => next(input)),
  terminate: (input, next) =>
    inSpan(describe('TerminateWorkflow', input.workflowExecution.workflowId), () => next(input)),
}

const describe =
  (name: string, jobId = '') =>
  (): SpanDetails => ({ name, kind: SpanKind.CLIENT, attributes: { 'ganglion.job_id': jobId } })

function carry(headers: Headers): Headers {
  const position = findTraceContext()
  return position ? withTraceHeader(headers, position) : headers
}
