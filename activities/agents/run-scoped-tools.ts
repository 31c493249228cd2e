import type { Database } from '../../data/shared/database.ts'
import { findVersion } from '../../data/resources/resources-store.ts'
import { findToolRight, requireRight } from '../../domain/access/rights.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import type { NeuronRunSpec, RunSkill, RunTool, TraceTurn } from '../../domain/agents/run-spec.ts'
import { LOAD_SKILL } from '../../domain/agents/skills.ts'
import type { Recollections } from '../../services/agents/recollections.ts'
import { StepError } from '../../domain/runs/step-error.ts'
import type { Builtin } from '../tools/builtin/builtin.ts'
import { idempotencyFor } from '../tools/builtin/idempotency.ts'
import { buildPrincipal } from '../tools/principal.ts'
import type { ToolRequest } from '../tools/types.ts'

/** A call to a tool that uses the neuron's memory or the run's skills. */
export interface RunScopedCall extends Pick<ToolRequest, 'job' | 'args' | 'idempotency_key' | 'requester'> {
  spec: NeuronRunSpec
  trace: TraceTurn
  signal: AbortSignal
}

export interface RunScopedToolsDeps {
  db: Database
  recollections: Pick<Recollections, 'remember' | 'recall'>
  readFile: Builtin
}

type RunScopedTool = (call: RunScopedCall) => Promise<JsonValue>

/**
 * Returns the implementation of a tool that is available only to neuron runs, or undefined for other tools. The
 * implementation throws StepError.
 */
export type RunScopedTools = (tool: RunTool) => RunScopedTool | undefined

export function createRunScopedTools({ db, recollections, readFile }: RunScopedToolsDeps): RunScopedTools {
  const tools: Record<string, RunScopedTool> = {
    async remember({ args, spec, trace, ...call }) {
      const { text } = args as { text: string }
      const source = { trace_id: trace.trace_id, job_id: call.job.job_id }
      const once = idempotencyFor('remember', call.idempotency_key, args)
      const { id } = await recollections.remember(
        buildPrincipal(call),
        { neuron_id: spec.neuron.id, text, source },
        once,
      )
      return { remembered: text, id }
    },

    async recall({ args, spec, signal, ...call }) {
      const { query, limit = 10 } = args as { query: string; limit?: number }
      const request = { neuron_id: spec.neuron.id, query, limit }
      return await recollections.recall(buildPrincipal(call), request, { signal })
    },

    read_file: async call => readFile(call),

    async [LOAD_SKILL]({ args, spec, job }) {
      const { name, file } = args as { name: string; file?: string }
      const skill = spec.skills.find(({ slug }) => slug === name)
      if (!skill) throw new StepError('TOOL_FAILED', `The neuron has no skill "${name}"`)
      const version = await db.inWorkspace(job.workspace_id, tx => findVersion(tx, skill.id, skill.version))
      return presentSkill(skill, version?.document as SkillDocument | undefined, file)
    },
  }
  return tool => {
    const scopedTool = tool.source === 'builtin' ? tools[tool.name] : undefined
    return (
      scopedTool &&
      (async call => {
        requireRight(call.job, findToolRight(tool))
        return scopedTool(call)
      })
    )
  }
}

interface SkillDocument {
  instructions: string
  files: { name: string; text: string }[]
}

function presentSkill(
  { slug, title }: RunSkill,
  document: SkillDocument | undefined,
  file: string | undefined,
): JsonValue {
  if (!document) throw new StepError('TOOL_FAILED', `The skill "${slug}" no longer exists`)
  const { instructions, files } = document
  if (file === undefined) return { skill: slug, title, instructions, files: files.map(({ name }) => name) }
  const skillFile = files.find(({ name }) => name === file)
  if (!skillFile) throw new StepError('TOOL_FAILED', `The skill "${slug}" has no file "${file}"`)
  return { skill: slug, file, text: skillFile.text }
}
