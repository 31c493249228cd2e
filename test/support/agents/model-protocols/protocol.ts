/** One turn of a conversation as the model receives it, in the same form for every protocol. */
export interface ModelTurn {
  role: 'system' | 'user' | 'assistant' | 'tool'
  text: string
  /** Tool calls by the assistant. */
  calls?: { id: string; name: string; args: unknown }[]
  /** On `tool`: the id of the call. */
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
  /** The arguments, sent as JSON. */
  args?: unknown
  /** The arguments, sent verbatim instead of `args`, whether JSON or not. */
  raw?: string
  id?: string
}

/** The server's response to one request. */
export interface ModelReply {
  /** Pieces of the reply, each in its own server-sent event. */
  tokens?: string[]
  /** Delay in milliseconds before each piece. */
  delay_ms?: number
  /** Sent after the tokens. Arguments are sent in pieces of a few characters. */
  calls?: ScriptedCall[]
  /** The text that the model returns when it refuses. */
  refusal?: string
  /** Uses the terms of OpenAI's chat completions. Other protocols get their own term. */
  finish_reason?: string
  /** Default: the number of words in the request and of pieces in the reply. Input includes cached tokens. */
  usage?: { input_tokens?: number; output_tokens?: number; cached_input_tokens?: number }
  /** Delays the start of the reply until the promise settles. */
  wait?: Promise<unknown>
  /** A status that is returned instead of a reply, with an error in the provider's format. */
  status?: number
  error?: string
  /** The provider's name for the error. */
  error_type?: string
  error_code?: string
  error_details?: unknown
  headers?: Record<string, string>
  /** What happens after the pieces: stop sending forever, cut the connection, or send an error event. */
  after?: 'hang' | 'cut' | 'error'
}

export interface Usage {
  input: number
  output: number
  cached: number
}

/** A server-sent event. Whether it has a name depends on the protocol. */
export interface Frame {
  event?: string
  data: unknown
}

/** Writes the events of one reply, in call order. */
export interface AnswerWriter {
  begin(): Frame[]
  token(text: string): Frame[]
  refusal(text: string): Frame[]
  /** Returns lists of frames. Each list is sent separately. */
  call(call: Required<Pick<ScriptedCall, 'id' | 'name'>> & { pieces: string[] }): Frame[][]
  end(finish: string): Frame[]
  failure(message: string, type?: string): Frame[]
}

export interface ModelProtocol {
  read(body: Record<string, unknown>, path: string): ReadRequest
  writer(request: ReadRequest & { body: Record<string, unknown> }, usage: Usage): AnswerWriter
  /** Returns the body of an error response. */
  refused(reply: ModelReply): unknown
}

interface Fields {
  [name: string]: unknown
}

export const fields = (value: unknown): Fields => (typeof value === 'object' && value ? (value as Fields) : {})
export const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fields) : [])
export const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns the text of a string or of content parts. */
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
