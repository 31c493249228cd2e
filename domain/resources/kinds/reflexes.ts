import { z } from 'zod'
import type { Problem } from '../../shared/json/json.ts'
import { unescapePointer } from '../../shared/json/json-pointer.ts'
import { BUILTIN_TOOLS, isBuiltin } from '../../tools/builtin.ts'
import { HEADER_NAME, isSafeToForward } from '../../tools/headers.ts'
import { TOOL_NAME } from '../../tools/names.ts'
import { readOpenApi } from '../../tools/openapi/read.ts'
import { httpCall } from '../../tools/tool-call.ts'
import { TOOL_EFFECTS, TOOL_SOURCES } from '../../tools/tool-spec.ts'
import { description, jsonObject, longText, reference, shortText } from '../fields.ts'
import { defineKind, joinParagraphs } from '../kind.ts'

const tool = z.strictObject({
  name: z.string().regex(TOOL_NAME, 'must contain only letters, digits, _ and -'),
  description: longText.default(''),
  /** JSON Schema of the arguments. */
  parameters: jsonObject.default({}),
  /** Effect of a call. Default: the effect stated by the source, otherwise `write`. */
  effect: z.enum(TOOL_EFFECTS).optional(),
  /** Request of an HTTP API tool. */
  http: httpCall.optional(),
  /** Name of the tool on its MCP server. */
  mcp: z.strictObject({ name: shortText }).optional(),
})

export type ReflexTool = z.output<typeof tool>

const address = z.url({ protocol: /^https?$/, message: 'must be an http or https URL' }).max(2_000)

/** Fields that a request may set. */
export const reflexFields = z.strictObject({
  description,
  source: z.enum(TOOL_SOURCES).default('builtin'),
  /** URL of the server that offers the tools, or of its OpenAPI document. */
  url: address.optional(),
  /** An OpenAPI document, as an object or as text. It is converted to `tools` and not stored. */
  openapi: z.unknown().optional(),
  /** URL that overrides the servers in the OpenAPI document. */
  server_url: address.optional(),
  /** Whether calls that change nothing usually take less than half a second. Built-in tools declare this themselves. */
  is_short: z.boolean().optional(),
  /** The workflow or agent that the tool runs. */
  target: reference.optional(),
  tools: z.array(tool).max(500).default([]),
  /** Names of secrets, by header. */
  secrets: z
    .record(z.string().regex(HEADER_NAME, 'must be a header name'), shortText)
    .refine(secrets => !Object.keys(secrets).some(isSafeToForward), 'must be a header that redirects do not forward')
    .default({}),
})

/** Tools from a given OpenAPI document replace the existing ones. */
const document = reflexFields.transform(({ openapi, ...reflex }, context) => {
  if (openapi === undefined || openapi === null) return reflex
  const add = (at: string, message: string) =>
    context.issues.push({ code: 'custom', message, path: ['openapi', ...parsePointer(at)], input: openapi })
  if (reflex.source !== 'openapi') add('', 'must only be set for the source openapi')
  const read = readOpenApi(openapi, reflex)
  if ('problems' in read) for (const { pointer, message } of read.problems) add(pointer, message)
  const tools: ReflexTool[] = 'tools' in read ? read.tools : []
  return { ...reflex, tools }
})

const parsePointer = (pointer: string): string[] => pointer.split('/').slice(1).map(unescapePointer)

export type ReflexDocument = z.output<typeof document>

export const reflexes = defineKind({
  kind: 'reflexes',
  singular: 'reflex',
  document,
  problems,
  text: ({ description, tools }) =>
    joinParagraphs(description, ...tools.map(tool => `${tool.name}: ${tool.description}`)),
  metadata: ({ source }) => ({ source }),
})

function problems({ source, url, is_short, target, tools }: ReflexDocument): Problem[] {
  const toolProblems: Problem[] = []
  const report = (pointer: string, message: string) => void toolProblems.push({ pointer, message })
  const isAnother = source === 'pathway' || source === 'neuron'
  if (isAnother && target === undefined) report('/target', `is required: the ${source} to run`)
  if (!isAnother && target !== undefined) report('/target', 'must only be set for the sources pathway and neuron')
  if (is_short !== undefined && source !== 'openapi' && source !== 'mcp')
    report('/is_short', 'must only be set for the sources openapi and mcp')
  if (isAnother && tools.length > 1) report('/tools', `must have one entry for the source ${source}`)
  if (source === 'mcp' && url === undefined) report('/url', 'is required: the URL of the MCP server')
  if (source === 'openapi' && url === undefined && tools.length === 0)
    report('/url', 'is required if neither openapi nor tools are given')
  const names = tools.map(({ name }) => name)
  names.forEach((name, i) => {
    if (names.indexOf(name) < i) report(`/tools/${i}/name`, `duplicate tool "${name}"`)
    const { http } = tools[i] as ReflexTool
    if (source === 'builtin' && !isBuiltin(names[i] ?? ''))
      report(`/tools/${i}/name`, `must be one of ${Object.keys(BUILTIN_TOOLS).join(', ')}`)
    if (source === 'openapi' && !http) report(`/tools/${i}/http`, 'is required: how to call the tool')
  })
  return toolProblems
}
