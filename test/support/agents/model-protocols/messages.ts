import { type Frame, list, type ModelProtocol, type ModelTurn, text, textIn } from './protocol.ts'

const STOP_REASONS: Record<string, string> = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  content_filter: 'refusal',
}
const ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

/** Anthropic's Messages API. */
export const messages: ModelProtocol = {
  read: body => ({
    model: text(body.model),
    turns: [
      ...(body.system === undefined ? [] : [{ role: 'system' as const, text: textIn(body.system) }]),
      ...list(body.messages).flatMap(turns),
    ],
    tools: list(body.tools).map(({ name, description, input_schema }) => ({
      name: text(name),
      description: text(description),
      parameters: input_schema,
    })),
  }),

  writer({ model }, { input, output, cached }) {
    const frame = (type: string, more: object = {}): Frame => ({ event: type, data: { type, ...more } })
    let index = -1
    let open = false
    const start = (content_block: object): Frame[] => {
      const before = stop()
      open = true
      return [...before, frame('content_block_start', { index: ++index, content_block })]
    }
    const stop = (): Frame[] => {
      if (!open) return []
      open = false
      return [frame('content_block_stop', { index })]
    }
    const delta = (change: object): Frame => frame('content_block_delta', { index, delta: change })
    const say = (words: string): Frame[] => [
      ...(open ? [] : start({ type: 'text', text: '' })),
      delta({ type: 'text_delta', text: words }),
    ]
    return {
      begin: () => [
        frame('message_start', {
          message: {
            id: 'msg-test',
            type: 'message',
            role: 'assistant',
            model,
            content: [],
            stop_reason: null,
            usage: {
              input_tokens: input - cached,
              cache_read_input_tokens: cached,
              cache_creation_input_tokens: 0,
              output_tokens: 1,
            },
          },
        }),
        frame('ping'),
      ],
      token: say,
      refusal: say,
      call: ({ id, name, pieces }) => [
        start({ type: 'tool_use', id, name, input: {} }),
        ...pieces.map(piece => [delta({ type: 'input_json_delta', partial_json: piece })]),
        stop(),
      ],
      end: finish => [
        ...stop(),
        frame('message_delta', {
          delta: { stop_reason: STOP_REASONS[finish] ?? finish, stop_sequence: null },
          usage: { output_tokens: output },
        }),
        frame('message_stop'),
      ],
      failure: (message, type = 'api_error') => [frame('error', { error: { type, message } })],
    }
  },

  refused: ({ status = 500, error = 'failed as asked', error_type }) => ({
    type: 'error',
    error: { type: error_type ?? ERROR_TYPES[status] ?? 'api_error', message: error },
  }),
}

/** A user message may contain tool results. Each result becomes a separate turn. */
function turns({ role, content }: Record<string, unknown>): ModelTurn[] {
  if (typeof content === 'string') return [{ role: role as ModelTurn['role'], text: content }]
  const parts = list(content)
  const results = parts
    .filter(({ type }) => type === 'tool_result')
    .map(part => ({ role: 'tool' as const, text: textIn(part.content), call_id: text(part.tool_use_id) }))
  const calls = parts
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }) => ({ id: text(id), name: text(name), args: input }))
  const answerText = textIn(parts.filter(({ type }) => type === 'text'))
  if (answerText === '' && calls.length === 0) return results
  return [...results, { role: role as ModelTurn['role'], text: answerText, ...(calls.length > 0 && { calls }) }]
}
