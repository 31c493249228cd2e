import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { jsonSchema, type ModelMessage, streamText, tool, type ToolSet } from 'ai'
import { createHearing, type Heard } from './heard.ts'
import { type Plan, planned, TOOL } from './plan.ts'

/** An agent without a service: the SDK, a loop and a function. No state survives a crash. */
export function createBareLoop(baseURL: string): (plan: Plan) => Promise<Heard> {
  const model = createOpenAICompatible({ name: 'provider', baseURL, apiKey: 'bench', includeUsage: true })('small')
  const tools: ToolSet = {
    [TOOL]: tool({ description: 'Returns the current date and time.', inputSchema: jsonSchema({ type: 'object' }) }),
  }
  return async plan => {
    const hearing = createHearing()
    const messages: ModelMessage[] = [{ role: 'user', content: planned(plan) }]
    for (let calling = true; calling;) {
      const result = streamText({ model, messages, maxRetries: 0, ...(plan.steps > 1 && { tools }) })
      const replies: ModelMessage[] = []
      for await (const part of result.stream) {
        if (part.type === 'error') throw part.error
        if (part.type === 'text-delta') hearing.take(part.text)
        if (part.type === 'tool-call') replies.push(replyTo(part))
      }
      messages.push(...(await result.responseMessages), ...replies)
      calling = replies.length > 0
    }
    return hearing.end()
  }
}

function replyTo({ toolCallId, toolName }: { toolCallId: string; toolName: string }): ModelMessage {
  const output = { type: 'json' as const, value: { time: new Date().toISOString() } }
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }
}
