import { z } from 'zod'
import type { JsonObject, Problem } from '../../shared/json/json.ts'
import { HOST_PATTERN, HOST_RULE, MAX_HOST_CHARS } from '../../tools/allowed-hosts.ts'
import { prefixPointers } from '../../shared/json/json-pointer.ts'
import { approvalProblem, approvalTitleProblems } from '../../agents/approval.ts'
import { instructionProblems } from '../../agents/instructions.ts'
import { principalProblems } from '../../access/principal.ts'
import { compileSchema } from '../../shared/schemas/json-schema.ts'
import { description, json, jsonObject, longText, reference, shortText } from '../fields.ts'
import { defineKind, joinParagraphs } from '../kind.ts'

/** Determines when a call requires approval. `when` is CEL over `args`. If absent, every call requires approval. */
const approvalRule = z.strictObject({
  when: z.string().min(1).max(4_000).optional(),
  /** Names of people or groups that may decide, such as group:finance. Default: anyone. */
  assignees: z.array(shortText).max(100).optional(),
  /** Title shown to approvers. May contain placeholders such as `${args.name}`. */
  title: z.string().min(1).max(500).optional(),
})

const tool = z.strictObject({
  /** Tool collection that offers the tools. */
  reflex: reference,
  /** Tool names within the collection. Default: all tools. */
  names: z.array(shortText).max(200).optional(),
  /**
   * Arguments that the agent sets instead of the model. May contain `${variables.name}`. The model can neither see
   * nor change these arguments.
   */
  with: z.record(z.string().min(1).max(200), json).optional(),
  /** If absent, calls that write require approval in runs with untrusted content. */
  approval: z.union([z.enum(['never', 'always']), approvalRule]).optional(),
})

const route = z.strictObject({
  name: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'must contain only letters, digits, _ and -'),
  description: z.string().max(2_000).default(''),
})

const document = z.strictObject({
  description,
  neuron_type: z.enum(['completion', 'agent', 'extraction', 'router']).default('completion'),
  /** Id of a registered model. Default: the default model. */
  model: shortText.optional(),
  /** Instructions with `${variables.name}` placeholders. */
  instructions: longText.default(''),
  /** Default values of variables that an invocation doesn't set. */
  variables: z.record(z.string().max(100), json).default({}),
  /** JSON Schema of a structured answer. */
  output_schema: jsonObject.optional(),
  /** Options of a router agent. */
  routes: z.array(route).min(1).max(100).optional(),
  tools: z.array(tool).max(100).default([]),
  skills: z.array(reference).max(100).default([]),
  /** Hosts that the agent's tools may call, such as `api.example.com` or `*.example.com`. Default: any host. */
  allowed_hosts: z.array(z.string().max(MAX_HOST_CHARS).regex(HOST_PATTERN, HOST_RULE)).max(100).optional(),
  memory: z
    .strictObject({
      /** Whether a thread includes memories from other threads. */
      recollect: z.boolean().default(false),
      /** Number of messages from earlier turns that the model sees. */
      messages: z.int().min(0).max(1_000).default(50),
    })
    .default({ recollect: false, messages: 50 }),
  temperature: z.number().min(0).max(2).optional(),
  max_output_tokens: z.int().min(1).max(1_000_000).optional(),
  max_steps: z.int().min(1).max(1_000).default(20),
  /** Cost in USD at which a run requests approval to continue. */
  budget_usd: z.number().positive().optional(),
})

export type NeuronDocument = z.output<typeof document>

export const neurons = defineKind({
  kind: 'neurons',
  singular: 'neuron',
  document,
  hiddenCoreFields: ['instructions', 'variables', 'tools', 'skills', 'output_schema'],
  problems: neuron => [...schemaProblems(neuron), ...templateProblems(neuron), ...approvalProblems(neuron)],
  text: ({ description, instructions }) => joinParagraphs(description, instructions),
  metadata: ({ neuron_type, model }) => ({ neuron_type, ...(model !== undefined && { model }) }),
})

function schemaProblems({ neuron_type, output_schema, routes }: NeuronDocument): Problem[] {
  if (neuron_type === 'router') return routes ? [] : [{ pointer: '/routes', message: 'is required for a router' }]
  if (!output_schema)
    return neuron_type === 'extraction' ? [{ pointer: '/output_schema', message: 'is required for an extraction' }] : []
  const compiled = compileSchema(output_schema)
  return 'problems' in compiled ? prefixPointers('/output_schema', compiled.problems) : []
}

const templateProblems = ({ instructions, tools }: NeuronDocument): Problem[] => [
  ...prefixPointers('/instructions', instructionProblems(instructions)),
  ...tools.flatMap((tool, i) =>
    prefixPointers(`/tools/${i}/with`, instructionProblems((tool.with ?? {}) as JsonObject)),
  ),
]

function approvalProblems({ tools }: NeuronDocument): Problem[] {
  return tools.flatMap(({ approval }, i) => {
    if (approval === undefined || typeof approval === 'string') return []
    const { when, assignees = [], title } = approval
    const at = `/tools/${i}/approval`
    const message = when && approvalProblem(when)
    return [
      ...(message ? [{ pointer: `${at}/when`, message }] : []),
      ...principalProblems(assignees, `${at}/assignees`),
      ...(title === undefined ? [] : prefixPointers(`${at}/title`, approvalTitleProblems(title))),
    ]
  })
}
