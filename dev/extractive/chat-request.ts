import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ToolChoice,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import { z } from 'zod'

const text = z.union([
  z.string(),
  z.array(z.object({ text: z.string().default('') })).transform(parts => parts.map(part => part.text).join('\n\n')),
])
const content = text.nullish().transform(value => value ?? '')

const call = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) })

const message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer']), content }),
  z.object({ role: z.literal('user'), content }),
  z.object({ role: z.literal('assistant'), content, tool_calls: z.array(call).default([]) }),
  z.object({ role: z.literal('tool'), content, tool_call_id: z.string() }),
])

const tool = z.object({
  function: z.object({
    name: z.string(),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()).default({}),
  }),
})

/** The fields of an OpenAI chat completions request that this model uses. */
export const chatRequest = z.object({
  model: z.string(),
  messages: z.array(message).min(1),
  tools: z.array(tool).optional(),
  tool_choice: z
    .union([z.enum(['auto', 'none', 'required']), z.object({ function: z.object({ name: z.string() }) })])
    .optional(),
  response_format: z
    .object({ type: z.string(), json_schema: z.object({ schema: z.record(z.string(), z.unknown()) }).optional() })
    .optional(),
  max_tokens: z.number().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().optional() }).nullish(),
})

export type ChatRequest = z.infer<typeof chatRequest>

/** Converts a request to a model call. Throws SyntaxError if a tool call's arguments are not valid JSON. */
export function toCallOptions(request: ChatRequest): LanguageModelV4CallOptions {
  const { tools, tool_choice, response_format, max_tokens } = request
  return {
    prompt: toPrompt(request.messages),
    ...(tools && { tools: tools.map(toTool) }),
    ...(tool_choice && { toolChoice: toToolChoice(tool_choice) }),
    ...(response_format?.type.startsWith('json') && {
      responseFormat: { type: 'json', schema: response_format.json_schema?.schema },
    }),
    ...(max_tokens && { maxOutputTokens: max_tokens }),
  }
}

const toTool = ({ function: { parameters, ...named } }: z.infer<typeof tool>): LanguageModelV4FunctionTool => ({
  type: 'function',
  ...named,
  inputSchema: parameters,
})

const toToolChoice = (choice: NonNullable<ChatRequest['tool_choice']>): LanguageModelV4ToolChoice =>
  typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.function.name }

function toPrompt(messages: ChatRequest['messages']): LanguageModelV4Message[] {
  const names = new Map<string, string>()
  return messages.map(entry => {
    const parts = [{ type: 'text' as const, text: entry.content }]
    if (entry.role === 'user') return { role: 'user', content: parts }
    if (entry.role === 'tool')
      return { role: 'tool', content: [buildResultPart(entry, names.get(entry.tool_call_id) ?? 'unknown')] }
    if (entry.role !== 'assistant') return { role: 'system', content: entry.content }
    const calls = entry.tool_calls.map(({ id, function: { name, arguments: input } }) => {
      names.set(id, name)
      return { type: 'tool-call' as const, toolCallId: id, toolName: name, input: JSON.parse(input || '{}') as unknown }
    })
    return { role: 'assistant', content: [...parts, ...calls] }
  })
}

const buildResultPart = (
  { content: value, tool_call_id: toolCallId }: Extract<ChatRequest['messages'][number], { role: 'tool' }>,
  toolName: string,
): LanguageModelV4ToolResultPart => ({ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } })
