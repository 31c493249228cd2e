import { fields, json, list, type ModelProtocol, type ModelTurn, text, textIn } from './protocol.ts'

/** OpenAI's chat completions, which most servers of open models support. */
export const chat: ModelProtocol = {
  read: body => ({
    model: text(body.model),
    turns: list(body.messages).map(turn),
    tools: list(body.tools).map(tool => {
      const { name, description, parameters } = fields(tool.function)
      return { name: text(name), description: text(description), parameters }
    }),
  }),

  writer({ model, body }, { input, output, cached }) {
    const head = { id: 'chatcmpl-test', object: 'chat.completion.chunk', created: 1_700_000_000, model }
    const choice = (delta: unknown, finish_reason: string | null = null) => [
      { data: { ...head, choices: [{ index: 0, delta, finish_reason }] } },
    ]
    const usage = {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cached },
    }
    let calls = 0
    return {
      begin: () => choice({ role: 'assistant', content: '' }),
      token: content => choice({ content }),
      refusal: words => choice({ refusal: words }),
      call({ id, name, pieces }) {
        const index = calls++
        return [
          choice({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
          ...pieces.map(piece => choice({ tool_calls: [{ index, function: { arguments: piece } }] })),
        ]
      },
      end: finish => [
        ...choice({}, finish),
        ...(fields(body.stream_options).include_usage ? [{ data: { ...head, choices: [], usage } }] : []),
        { data: '[DONE]' },
      ],
      failure: (message, type = 'server_error') => [
        { data: { error: { message, type, param: null, code: null } } },
        { data: '[DONE]' },
      ],
    }
  },

  refused: ({ error = 'failed as asked', error_type = 'test_error', error_code = null }) => ({
    error: { message: error, type: error_type, param: null, code: error_code },
  }),
}

function turn({ role, content, tool_calls, tool_call_id }: Record<string, unknown>): ModelTurn {
  const calls = list(tool_calls).map(({ id, function: callee }) => ({
    id: text(id),
    name: text(fields(callee).name),
    args: json(fields(callee).arguments),
  }))
  return {
    role: role === 'developer' ? 'system' : (role as ModelTurn['role']),
    text: textIn(content),
    ...(calls.length > 0 && { calls }),
    ...(role === 'tool' && { call_id: text(tool_call_id) }),
  }
}
