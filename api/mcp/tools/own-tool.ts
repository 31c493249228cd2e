import type { JsonValue } from '../../../domain/shared/json/json.ts'
import { ABOUT_RUNS, parseObject, RUN_OUTCOME, RUNS, type Tool } from './tool.ts'
import type { CallableTool } from '../../../services/tools/mcp-toolkits-tools.ts'

/** Creates a workspace toolkit's tool, which runs a pathway or a neuron. The service validates the arguments. */
export function createOwnTool({ name, title, description, input_schema, target }: CallableTool): Tool {
  const { type, id } = target
  return {
    name,
    title,
    description: `${description}\n\n${ABOUT_RUNS}`,
    route: type === 'pathway' ? 'pathways.execute' : 'neurons.invoke',
    hints: RUNS,
    input: input_schema,
    output: RUN_OUTCOME,
    parse: parseObject,
    action: {
      type: 'start',
      start: ({ jobs, neurons }, { principal, idempotency }, args) =>
        type === 'pathway'
          ? jobs.start(principal, { pathway_id: id, input: args as JsonValue }, idempotency)
          : neurons.start(principal, { neuron: id, messages: [createMessage(args)] }, idempotency),
    },
  }
}

const createMessage = (args: unknown) => {
  const { message } = args as { message?: unknown }
  return { role: 'user' as const, content: typeof message === 'string' ? message : JSON.stringify(args) }
}
