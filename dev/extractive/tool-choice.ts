import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import { answers } from './answer.ts'
import { snake } from './text/concepts.ts'
import type { Conversation } from './conversation.ts'
import { mentions } from './fields/mentions.ts'
import { splitQuestion } from './prompt.ts'

export const asksPeople = (tool: string): boolean => /^ask(?:_|$)/.test(snake(tool))

/**
 * Returns the next tool to call. Among the tools that the instructions or the user name, this is the first one not yet
 * called since the latest user message. If no tool is named, returns a search tool, unless the prompt already contains
 * an answer. Tool results never affect the choice.
 */
export function nextTool(
  { tools = [], toolChoice }: Pick<LanguageModelV4CallOptions, 'tools' | 'toolChoice'>,
  talk: Conversation,
): LanguageModelV4FunctionTool | undefined {
  const offered = tools.filter(tool => tool.type === 'function')
  const free = offered.filter(({ name }) => !talk.called.has(name))
  if (!talk.awaits || toolChoice?.type === 'none') return undefined
  if (toolChoice?.type === 'tool') return offered.find(({ name }) => name === toolChoice.toolName)
  const named = namedTools(offered, talk)
  const turn = free
    .filter(({ name }) => named.includes(name))
    .sort((a, b) => named.indexOf(a.name) - named.indexOf(b.name))
  const firstTool = turn[0] ?? (named.length === 0 ? searching(free, talk) : undefined)
  return firstTool ?? (toolChoice?.type === 'required' ? (free[0] ?? offered[0]) : undefined)
}

function namedTools(tools: LanguageModelV4FunctionTool[], { instructions, message }: Conversation): string[] {
  const names = tools.map(({ name }) => name)
  const mentionedNames = [instructions, message].flatMap(text => mentions(text, names)).map(({ name }) => name)
  return [...new Set(mentionedNames)]
}

function searching(
  tools: LanguageModelV4FunctionTool[],
  { instructions, userText, results }: Conversation,
): LanguageModelV4FunctionTool | undefined {
  if (results.length > 0 || answers(splitQuestion(instructions, userText))) return undefined
  const named = tools.find(({ name }) => snake(name) === 'search')
  return named ?? tools.find(tool => !asksPeople(tool.name) && takesQuestion(tool.inputSchema as JsonObject))
}

function takesQuestion({ properties = {} }: JsonObject): boolean {
  const fields = properties as Record<string, JsonObject>
  return ['query', 'question'].some(name => fields[name]?.type === 'string')
}
