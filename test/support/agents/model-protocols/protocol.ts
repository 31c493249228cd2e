/** One turn of a conversation as the model is shown it, in the same form for all protocols. */
export interface ModelTurn {
  role: 'system' | 'user' | 'assistant' | 'tool'
  text: string
  /** Calls of tools that the assistant made. */
  calls?: { id: string; name: string; args: unknown }[]
  /** On `tool`: the call that this is the result of. */
  call_id?: string
}

export interface ModelTool {
  name: string
  description: string
  parameters: unknown
}

/** The content of a request, in any protocol. */
export interface ReadRequest {
  model: string
  turns: ModelTurn[]
  tools: ModelTool[]
}

export interface ScriptedCall {
  name: string
  /** Sent as JSON. */
  args?: unknown
  /** Sent instead of `args` as it is, JSON or not. */
  raw?: string
  id?: string
}

/** How the server answers one request. */
export interface ModelReply {
  /** Pieces of the answer, each its own server-sent event. */
  tokens?: string[]
  /** Before each piece, in milliseconds. */
  delay_ms?: number
  /** After the tokens. Arguments are sent in pieces of a few characters. */
  calls?: ScriptedCall[]
  /** The model declines, in these words. */
  refusal?: string
  /** As OpenAI's chat completions say it; other protocols get their own word for it. */
  finish_reason?: string
  /** Left out, the words of the request and the pieces of the answer. Input is counted with what was cached. */
  usage?: { input_tokens?: number; output_tokens?: number; cached_input_tokens?: number }
  /** The answer does not begin before this. */
  wait?: Promise<unknown>
  /** Instead of an answer: an error in the provider's form. */
  status?: number
  error?: string
  /** The provider's words for it. */
  error_type?: string
  error_code?: string
  error_details?: unknown
  headers?: Record<string, string>
  /** After the pieces: fall silent for ever, cut the connection, or send an error event. */
  after?: 'hang' | 'cut' | 'error'
}

export interface Usage {
  input: number
  output: number
  cached: number
}

/** A server-sent event; the protocols differ in whether they name it. */
export interface Frame {
  event?: string
  data: unknown
}

/** The events of one answer, in the order in which they are asked for. */
export interface AnswerWriter {
  begin(): Frame[]
  token(text: string): Frame[]
  refusal(text: string): Frame[]
  /** Each of the lists is sent on its own. */
  call(call: Required<Pick<ScriptedCall, 'id' | 'name'>> & { pieces: string[] }): Frame[][]
  end(finish: string): Frame[]
  failure(message: string, type?: string): Frame[]
}

export interface ModelProtocol {
  read(body: Record<string, unknown>, path: string): ReadRequest
  writer(request: ReadRequest & { body: Record<string, unknown> }, usage: Usage): AnswerWriter
  /** The body of an error response. */
  refused(reply: ModelReply): unknown
}

interface Fields {
  [name: string]: unknown
}

export const fields = (value: unknown): Fields => (typeof value === 'object' && value ? (value as Fields) : {})
export const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fields) : [])
export const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Text that is written as a string or as parts. */
export const textIn = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : list(content)
        .map(part => text(part.text))
        .join('')

export function json(value: unknown): unknown {
  try {
    return JSON.parse(text(value)) as unknown
  } catch {
    return value
  }
}
