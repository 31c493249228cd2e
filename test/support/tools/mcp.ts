import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

export type Era = '2026-07-28' | '2025-11-25'
export const ERAS: Era[] = ['2026-07-28', '2025-11-25']

interface ConnectOptions extends ClientOptions {
  baseUrl: string
  token: string
  era?: Era
  /** The path after `/v1/mcp`. */
  path?: string
  headers?: Record<string, string>
}

/** Connects a client to the hosted MCP server, as programs do. */
export async function connectMcp({
  baseUrl,
  token,
  era = '2026-07-28',
  path = '',
  headers,
  ...options
}: ConnectOptions): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { ...options, versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' } },
  )
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${baseUrl}/v1/mcp${path}`), {
      requestInit: { headers: { Authorization: `Bearer ${token}`, ...headers } },
    }),
  )
  return client
}

/** Calls a tool. Returns its structured content, or throws the text of an error. */
export async function callTool<T = Record<string, unknown>>(
  client: Client,
  name: string,
  args: object = {},
): Promise<T> {
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: { ...args } })
  if (isError) throw new Error(JSON.stringify(content))
  return structuredContent as T
}

/** Calls a tool that starts a run, and polls until the run ends, as the response describes. */
export async function runTool<T extends { job_id: string; status: string } = { job_id: string; status: string }>(
  client: Client,
  name: string,
  args: object,
): Promise<T> {
  let outcome = await callTool<T>(client, name, args)
  while (outcome.status === 'running' || outcome.status === 'pending')
    outcome = await callTool<T>(client, 'wait_for_run', { job_id: outcome.job_id })
  return outcome
}

/** Returns the error of a tool call. */
export async function refusedTool(
  client: Client,
  name: string,
  args: object = {},
): Promise<{ code: string; message: string; details?: { pointer: string }[] }> {
  const { content, isError } = await client.callTool({ name, arguments: { ...args } })
  const [part] = content
  if (!isError || part?.type !== 'text') throw new Error(`${name} was not refused: ${JSON.stringify(content)}`)
  return JSON.parse(part.text) as { code: string; message: string }
}

/** Sends a plain request, as a client does. */
export const post = (
  url: string,
  message: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
    signal,
  })

interface RpcReply {
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: unknown }
}

/** Sends one request of revision 2026-07-28 in its wire format, with the client's capabilities. */
export async function rpc(
  url: string,
  token: string,
  {
    method,
    params = {},
    capabilities = {},
  }: { method: string; params?: Record<string, unknown>; capabilities?: object },
): Promise<RpcReply> {
  const named = params.name ?? params.uri ?? params.taskId
  const headers: Record<string, string> = {
    Authorization: `Bearer ${token}`,
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(typeof named === 'string' && { 'Mcp-Name': named }),
  }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
  const response = await post(url, { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }, headers)
  return (await response.json()) as RpcReply
}

/** The capabilities of a client that follows runs as tasks and can ask its user. */
export const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
export const FORMS = { elicitation: { form: {} } }
