import { setTimeout as pause } from 'node:timers/promises'
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputRequired,
  type InputRequest,
  type InputRequiredResult,
  type Prompt,
  type ReadResourceResult,
  type RequestStateCodec,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { CallState } from '../../../api/mcp/protocol/request-state.ts'
import { callTaskTool, type FixtureRuns, showDefect, TASK_TOOLS } from './task-fixtures.ts'

/** Fixtures that the official conformance suite expects from a server, in addition to the service's tools. */

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

type Result = CallToolResult | InputRequiredResult
type Fixture = (ctx: ServerContext, states: RequestStateCodec<CallState>) => Result | Promise<Result>

const text = (said: string): CallToolResult => ({ content: [{ type: 'text', text: said }] })
const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const

const ask = (message: string, field: string, type: 'string' | 'boolean' = 'string') =>
  inputRequired.elicit({
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] },
  } as never)
const sample = (said: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: said } }], maxTokens })

/** Asks with a sealed state that contains the progress of the call. */
const askWithState = async (
  inputRequests: Record<string, InputRequest>,
  step: string,
  ctx: ServerContext,
  states: RequestStateCodec<CallState>,
) => inputRequired({ inputRequests, requestState: await states.mint({ tool: 'fixture', job_id: step }, ctx) })

const stepOf = (ctx: ServerContext) => ctx.mcpReq.requestState<CallState>()?.job_id
const has = (ctx: ServerContext, key: string) => ctx.mcpReq.inputResponses?.[key] !== undefined
const nameOf = (ctx: ServerContext, key = 'user_name') =>
  acceptedContent(ctx.mcpReq.inputResponses, key, z.object({ name: z.string() }))?.name

const TOOLS: Record<string, Fixture> = {
  test_simple_text: () => text('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
  test_error_handling: () => ({ ...text('This tool intentionally returns an error for testing'), isError: true }),
  async test_tool_with_progress({ mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
      await pause(50)
    }
    return text('done')
  },
  test_input_required_result_elicitation(ctx) {
    const name = nameOf(ctx)
    return name === undefined
      ? inputRequired({ inputRequests: { user_name: ask('What is your name?', 'name') } })
      : text(`Hello, ${name}!`)
  },
  test_input_required_result_sampling: ctx =>
    has(ctx, 'capital_question')
      ? text(JSON.stringify(ctx.mcpReq.inputResponses))
      : inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?', 100) } }),
  test_input_required_result_list_roots: ctx =>
    has(ctx, 'client_roots')
      ? text(JSON.stringify(ctx.mcpReq.inputResponses))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } }),
  test_input_required_result_request_state: (ctx, states) =>
    stepOf(ctx) === 'confirm' && has(ctx, 'confirm')
      ? text('state-ok')
      : askWithState({ confirm: ask('Please confirm', 'ok', 'boolean') }, 'confirm', ctx, states),
  test_input_required_result_tampered_state: (ctx, states) =>
    stepOf(ctx) === 'confirm'
      ? text('state-ok')
      : askWithState({ confirm: ask('Please confirm', 'ok', 'boolean') }, 'confirm', ctx, states),
  test_input_required_result_multiple_inputs(ctx, states) {
    const inputRequests = {
      user_name: ask('What is your name?', 'name'),
      greeting: sample('Generate a greeting', 50),
      client_roots: inputRequired.listRoots(),
    }
    return Object.keys(inputRequests).every(key => has(ctx, key))
      ? text('complete')
      : askWithState(inputRequests, 'all', ctx, states)
  },
  test_input_required_result_multi_round(ctx, states) {
    if (has(ctx, 'step2')) return text('complete')
    return stepOf(ctx) === 'one' && has(ctx, 'step1')
      ? askWithState({ step2: ask('Step 2: What is your favorite color?', 'color') }, 'two', ctx, states)
      : askWithState({ step1: ask('Step 1: What is your name?', 'name') }, 'one', ctx, states)
  },
  // Requests a capability that the suite's client has not declared. The SDK rejects the request.
  test_missing_capability: () => inputRequired({ inputRequests: { greeting: sample('Generate a greeting', 50) } }),
  test_streaming_elicitation: async ({ mcpReq }) => {
    await mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken: mcpReq._meta?.progressToken ?? 0, progress: 1 },
    })
    return inputRequired({ inputRequests: { user_name: ask('What is your name?', 'name') } })
  },
  // The service sends no logs to clients.
  test_logging_tool: () => text('done'),
  test_input_required_result_capabilities(ctx) {
    const envelope: Record<string, unknown> = ctx.mcpReq.envelope ?? {}
    const declared = (envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}) as ClientCapabilities
    const inputRequests: Record<string, InputRequest> = {}
    if (declared.elicitation) inputRequests.name = ask('What is your name?', 'name')
    if (declared.sampling) inputRequests.greeting = sample('Generate a greeting', 50)
    return Object.keys(inputRequests).length > 0 && !ctx.mcpReq.inputResponses
      ? inputRequired({ inputRequests })
      : text('complete')
  },
}

const RESOURCES: Record<string, ReadResourceResult['contents'][number]> = {
  'test://static-text': {
    uri: 'test://static-text',
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  'test://static-binary': { uri: 'test://static-binary', mimeType: 'image/png', blob: PNG },
  'test://template/123/data': {
    uri: 'test://template/123/data',
    mimeType: 'application/json',
    text: '{"id":"123","templateTest":true,"data":"Data for ID: 123"}',
  },
}

const prompt = (name: string, ...args: string[]): Prompt => ({
  name,
  description: name,
  arguments: args.map(arg => ({ name: arg, required: true })),
})
const PROMPTS = [
  prompt('test_simple_prompt'),
  prompt('test_prompt_with_arguments', 'arg1', 'arg2'),
  prompt('test_prompt_with_embedded_resource', 'resourceUri'),
  prompt('test_prompt_with_image'),
  prompt('test_input_required_result_prompt'),
]
const said = (message: string) => ({ role: 'user' as const, content: { type: 'text' as const, text: message } })

function getPrompt(name: string, args: Record<string, string>, ctx: ServerContext) {
  switch (name) {
    case 'test_simple_prompt':
      return { messages: [said('This is a simple prompt for testing.')] }
    case 'test_prompt_with_arguments':
      return { messages: [said(`Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`)] }
    case 'test_prompt_with_image':
      return { messages: [{ role: 'user' as const, content: image }, said('Please analyze the image above.')] }
    case 'test_input_required_result_prompt':
      return has(ctx, 'user_context')
        ? { messages: [said(JSON.stringify(ctx.mcpReq.inputResponses))] }
        : inputRequired({
            inputRequests: { user_context: ask('What context should the prompt use?', 'context') },
          })
    default: {
      const resource = {
        uri: args.resourceUri ?? '',
        mimeType: 'text/plain',
        text: 'Embedded resource content for testing.',
      }
      const embedded = { role: 'user' as const, content: { type: 'resource' as const, resource } }
      return { messages: [embedded, said('Please process the embedded resource above.')] }
    }
  }
}

type Handler = (request: object, ctx: ServerContext) => Promise<never>

/** Adds the fixtures to a request's server. Calls to other tools go to the service. */
export function addFixtures(server: Server, states: RequestStateCodec<CallState>, runs: FixtureRuns): void {
  const handlers = (server as unknown as { _requestHandlers: Map<string, Handler> })._requestHandlers
  const ours = (method: string) => {
    const handler = handlers.get(method)
    if (!handler) throw new Error(`no handler of ${method}`)
    return (request: object, ctx: ServerContext) => handler(request, ctx)
  }
  const own = {
    list: ours('tools/list'),
    call: ours('tools/call'),
    read: ours('resources/read'),
    task: ours('tasks/get'),
  }

  server.setRequestHandler('tools/list', async (request, ctx) => {
    const listed = (await own.list(request, ctx)) as { tools: object[] }
    const fixtures = [...Object.keys(TOOLS), ...TASK_TOOLS].map(name => ({
      name,
      description: name,
      inputSchema: { type: 'object' as const },
    }))
    return { ...listed, tools: [...listed.tools, ...fixtures] } as never
  })
  server.setRequestHandler('tools/call', async (request, ctx) => {
    const fixture = TOOLS[request.params.name]
    if (fixture) return fixture(ctx, states)
    return (await callTaskTool(runs, request.params, ctx)) ?? own.call(request, ctx)
  })
  server.setRequestHandler('tasks/get', { params: z.looseObject({}) }, async (params, ctx) =>
    showDefect(await own.task({ method: 'tasks/get', params }, ctx)),
  )
  server.setRequestHandler('resources/list', () => ({
    resources: Object.keys(RESOURCES)
      .slice(0, 2)
      .map(uri => ({ uri, name: uri })),
  }))
  server.setRequestHandler('resources/read', (request, ctx) => {
    const found = RESOURCES[request.params.uri]
    return found ? { contents: [found] } : own.read(request, ctx)
  })
  server.setRequestHandler('prompts/list', () => ({ prompts: PROMPTS }))
  server.setRequestHandler('prompts/get', ({ params }, ctx) => getPrompt(params.name, params.arguments ?? {}, ctx))
}
