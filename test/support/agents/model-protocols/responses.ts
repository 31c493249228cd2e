import { type Frame, json, list, type ModelProtocol, type ModelTurn, text, textIn } from './protocol.ts'
import { chat } from './chat.ts'

const INCOMPLETE: Record<string, string> = { length: 'max_output_tokens', content_filter: 'content_filter' }

/** OpenAI's Responses API. */
export const responses: ModelProtocol = {
  read: body => ({
    model: text(body.model),
    turns: list(body.input).flatMap(turn),
    tools: list(body.tools).map(({ name, description, parameters }) => ({
      name: text(name),
      description: text(description),
      parameters,
    })),
  }),

  writer({ model }, { input, output, cached }) {
    const response = { id: 'resp-test', created_at: 1_700_000_000, model }
    const frame = (type: string, more: object): Frame => ({ event: type, data: { type, ...more } })
    const message = { item_id: 'msg-test', output_index: 0, content_index: 0 }
    const usage = {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    }
    let items = 0
    let speaking = false
    const openMessage = (): Frame[] => {
      if (speaking) return []
      speaking = true
      const item = { type: 'message', id: 'msg-test', role: 'assistant', content: [] }
      return [frame('response.output_item.added', { output_index: 0, item })]
    }
    return {
      begin: () => [frame('response.created', { response }), frame('response.in_progress', { response })],
      token: delta => [...openMessage(), frame('response.output_text.delta', { ...message, delta })],
      refusal: delta => [...openMessage(), frame('response.refusal.delta', { ...message, delta })],
      call({ id, name, pieces }) {
        const output_index = ++items
        const item_id = `fc-${id}`
        const item = { type: 'function_call', id: item_id, call_id: id, name, arguments: '', status: 'in_progress' }
        const doneItem = { ...item, arguments: pieces.join(''), status: 'completed' }
        return [
          [frame('response.output_item.added', { output_index, item })],
          ...pieces.map(delta => [frame('response.function_call_arguments.delta', { item_id, output_index, delta })]),
          [frame('response.output_item.done', { output_index, item: doneItem })],
        ]
      },
      end(finish) {
        const reason = INCOMPLETE[finish]
        const type = reason ? 'response.incomplete' : 'response.completed'
        const message = { type: 'message', id: 'msg-test', role: 'assistant', content: [] }
        const endFrames = speaking ? [frame('response.output_item.done', { output_index: 0, item: message })] : []
        const incomplete_details = reason ? { reason } : null
        return [...endFrames, frame(type, { response: { ...response, incomplete_details, usage } })]
      },
      failure: (message, type = 'server_error') => [
        frame('error', { sequence_number: 1, error: { type, code: type, message, param: null } }),
      ],
    }
  },

  refused: reply => chat.refused(reply),
}

function turn(item: Record<string, unknown>): ModelTurn[] {
  const { type, role, content, call_id, name, output } = item
  if (type === 'function_call')
    return [
      { role: 'assistant', text: '', calls: [{ id: text(call_id), name: text(name), args: json(item.arguments) }] },
    ]
  if (type === 'function_call_output') return [{ role: 'tool', text: textIn(output), call_id: text(call_id) }]
  if (typeof role !== 'string') return []
  return [{ role: role === 'developer' ? 'system' : (role as ModelTurn['role']), text: textIn(content) }]
}
