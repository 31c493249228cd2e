import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

export type Era = '2026-07-28' | '2025-11-25'
export const ERAS: Era[] = ['2026-07-28', '2025-11-25']

interface ConnectOptions extends ClientOptions {
  baseUrl: string
  token: string
  era?: Era
  /** After `/v1/mcp`. */
  path?: string
  headers?: Record<string, string>
}

/** A connected client of the hosted MCP server, as programs use it. */
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

/** Calls a tool. Returns its structured content; throws the text of an error. */
export async function callTool<T = Record<string, unknown>>(
  client: Client,
  name: string,
  args: object = {},
): Promise<T> {
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: { ...args } })
  if (isError) throw new Error(JSON.stringify(content))
  return structuredContent as T
}

/** Calls a tool that runs something, and waits for the run as the answer says, as long as it goes on. */
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

/** The error that a call of a tool answers with. */
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

/** A plain request, as a client sends one. */
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

/** Sends one request of revision 2026-07-28 as it is on the wire, with what its client can. */
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

/** What a client says that follows runs as tasks, and that can ask its user. */
export const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
export const FORMS = { elicitation: { form: {} } }
