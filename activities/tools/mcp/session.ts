import { setTimeout as pause } from 'node:timers/promises'
import {
  Client,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { orAborted } from '../../../domain/shared/or-aborted.ts'
import type { Outbound } from '../../../services/tools/outbound/client.ts'
import type { Redactor } from '../../../domain/tools/redactor.ts'
import type { Secrets } from '../secrets.ts'
import { StepError } from '../../../domain/runs/step-error.ts'
import { toolFailedError, toolUnavailableError } from '../errors.ts'
import { createMcpFetch } from './fetch.ts'

export interface McpDeps {
  outbound: Outbound
  secrets: Secrets
  /** Time limit for an entire session. */
  timeoutMs: number
}

export interface McpServer {
  url: string
  /** Secret names by header. */
  secrets: Record<string, string>
  workspace_id: string
}

export interface McpSession {
  client: Client
  /** Options for each request in the session. */
  options: { signal: AbortSignal; timeout: number; maxTotalTimeout: number }
  redactor: Redactor
}

/** Time limit for closing a session in the background. */
const MAX_CLOSE_MS = 2_000
/** Time allowed for sending a cancellation notification, in milliseconds. */
const CANCEL_DELIVERY_MS = 250
/** Output schemas from servers are untrusted, so they are not compiled. */
const acceptAnySchema: jsonSchemaValidator = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    input => ({ valid: true, data: input as T, errorMessage: undefined }),
}

/**
 * Runs `work` in a session with an MCP server (streamable HTTP), then closes the session. Throws the signal's reason
 * or a StepError: SECRET_NOT_AVAILABLE, TOOL_FAILED if the server rejects the call, TOOL_UNAVAILABLE, and the
 * outbound client's errors.
 */
export async function inMcpSession<T>(
  { outbound, secrets, timeoutMs }: McpDeps,
  server: McpServer,
  signal: AbortSignal,
  work: (session: McpSession) => Promise<T>,
): Promise<T> {
  const { url, secrets: names, workspace_id } = server
  const { headers, redactor } = await secrets.credentialsFor({ names, url, workspace_id })
  const { host } = new URL(url)
  const timeout = AbortSignal.timeout(timeoutMs)
  const sessionSignal = AbortSignal.any([signal, timeout])
  // Aborted later than the session, so that the server still receives the cancellation.
  const closing = new AbortController()
  const { fetch, broken, onMessage } = createMcpFetch({ outbound, redactor, signal: closing.signal })
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch,
    requestInit: { headers: { 'user-agent': 'ganglion', ...headers } },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
    },
  })
  Object.assign(transport, { onmessage: onMessage })
  const client = new Client(
    { name: 'ganglion', version: '1' },
    {
      capabilities: {},
      jsonSchemaValidator: acceptAnySchema,
      // Uses the newest revision, or the 2025 revision for servers that do not support the newest.
      versionNegotiation: { mode: 'auto' },
      inputRequired: { autoFulfill: false },
    },
  )
  const options = { signal: sessionSignal, timeout: timeoutMs, maxTotalTimeout: timeoutMs }
  const session = async () => {
    await client.connect(transport, options)
    return work({ client, options, redactor })
  }
  try {
    return await orAborted(Promise.race([session(), broken]), sessionSignal)
  } catch (error) {
    signal.throwIfAborted()
    if (timeout.aborted) throw toolUnavailableError(`${host} did not respond within ${timeoutMs} ms`)
    throw toFailure(error, host, redactor)
  } finally {
    void closeSession(client, transport, sessionSignal).finally(() => closing.abort())
  }
}

/** Waits until a cancellation has been sent, then ends the session on the server. */
async function closeSession(client: Client, transport: StreamableHTTPClientTransport, { aborted }: AbortSignal) {
  if (aborted) await pause(CANCEL_DELIVERY_MS, undefined, { ref: false })
  const termination = transport.terminateSession().catch(() => undefined)
  await Promise.race([termination, pause(MAX_CLOSE_MS, undefined, { ref: false })])
  await client.close().catch(() => undefined)
}

function toFailure(error: unknown, host: string, redactor: Redactor): unknown {
  if (error instanceof StepError) return error
  if (error instanceof ProtocolError)
    return toolFailedError(`${host} rejected the request: ${redactor.text(error.message)}`)
  if (error instanceof SdkError && error.code === SdkErrorCode.UnsupportedResultType)
    return toolFailedError(`${host} requests input from a person, which is not available in runs`)
  return toolFailedError(`${host} did not respond as an MCP server`)
}
