import { durationMs } from '../../durations.ts'
import type { JsonSchema, Problem } from '../../json.ts'
import { below } from '../../json-pointer.ts'
import { compileSchema } from '../../schemas/json-schema.ts'
import type { Body, HumanNode, NeuronNode, PathwayNode, SwitchNode } from '../definition.ts'
import { assigneeProblems } from './assignees.ts'

const RESERVED_PORTS = new Set(['error', 'timeout', 'exhausted'])

/** Problems of single nodes that their schema can't say. */
export function nodeRuleProblems(node: PathwayNode, at: string, body: Body): Problem[] {
  switch (node.type) {
    case 'switch':
      return switchProblems(node, at)
    case 'human':
      return humanProblems(node, at)
    case 'neuron':
      return neuronProblems(node, at)
    case 'wait': {
      const given = [node.duration, node.until, node.event].filter(value => value !== undefined).length
      if (given !== 1) return [{ pointer: at, message: 'a wait needs exactly one of duration, until and event' }]
      return node.timeout && !node.event
        ? [{ pointer: `${at}/timeout`, message: 'only a wait for an event can time out' }]
        : []
    }
    case 'join': {
      const incoming = body.edges.filter(edge => edge.to === node.id).length
      if ((node.mode === 'n') !== (node.n !== undefined))
        return [{ pointer: `${at}/n`, message: 'n goes with mode "n", and only with it' }]
      return (node.n ?? 1) > incoming
        ? [{ pointer: node.n === undefined ? at : `${at}/n`, message: `only ${incoming} edges lead here` }]
        : []
    }
    case 'http': {
      const url = node.with.url
      if (url.startsWith('${') || /^https?:\/\//i.test(url)) return []
      return [{ pointer: `${at}/with/url`, message: 'must be an http or https address' }]
    }
    case 'transcribe': {
      const { asset, audio_base64, mime_type } = node.with
      const isSent = audio_base64 !== undefined && mime_type !== undefined
      if (asset === undefined ? isSent : audio_base64 === undefined && mime_type === undefined) return []
      return [{ pointer: `${at}/with`, message: 'needs either asset, or audio_base64 with mime_type' }]
    }
    default:
      return []
  }
}

/** A stored neuron has settings of its own; what has none of its own takes no variables. */
function neuronProblems({ ref, with: given, retry }: NeuronNode, at: string): Problem[] {
  if (ref === undefined) {
    const own = given.schema ? schemaProblems(given.schema, `${at}/with/schema`) : []
    return given.variables
      ? [...own, { pointer: `${at}/with/variables`, message: 'are those of a neuron that ref names' }]
      : own
  }
  const set = SETTINGS.filter(name => given[name] !== undefined)
  const problems = set.map(name => ({ pointer: `${at}/with/${name}`, message: 'is set by the neuron that ref names' }))
  return retry ? [...problems, { pointer: `${at}/retry`, message: 'a stored neuron retries by itself' }] : problems
}

const SETTINGS = ['model', 'instructions', 'schema', 'max_output_tokens', 'temperature'] as const

/** A schema a user wrote: it must be one, and cheap enough to check. */
export function schemaProblems(schema: JsonSchema, at: string): Problem[] {
  const result = compileSchema(schema)
  return 'problems' in result ? below(at, result.problems) : []
}

function switchProblems(node: SwitchNode, at: string): Problem[] {
  const ports = node.cases.map(entry => entry.port)
  const named = ports.flatMap((port, i) => {
    if (RESERVED_PORTS.has(port))
      return [{ pointer: `${at}/cases/${i}/port`, message: `"${port}" is a port of its own kind` }]
    return ports.indexOf(port) < i
      ? [{ pointer: `${at}/cases/${i}/port`, message: `port "${port}" stands here twice` }]
      : []
  })
  const fallback = node.default !== undefined && RESERVED_PORTS.has(node.default)
  return fallback
    ? [...named, { pointer: `${at}/default`, message: `"${node.default}" is a port of its own kind` }]
    : named
}

function humanProblems(node: HumanNode, at: string): Problem[] {
  const problems: Problem[] = []
  if ((node.kind === 'questions') !== (node.questions !== undefined)) {
    problems.push({ pointer: `${at}/questions`, message: 'questions go with kind "questions", and only with it' })
  }
  if (node.kind === 'form' && !node.form)
    problems.push({ pointer: `${at}/form`, message: 'a form needs its JSON Schema' })
  if (node.kind === 'questions' && node.form)
    problems.push({ pointer: `${at}/form`, message: 'questions have no form' })
  if (node.kind !== 'approval' && (node.quorum ?? 1) > 1)
    problems.push({ pointer: `${at}/quorum`, message: 'only an approval can need several people' })
  const ids = node.questions?.map(question => question.id) ?? []
  ids.forEach((id, i) => {
    if (ids.indexOf(id) < i)
      problems.push({ pointer: `${at}/questions/${i}/id`, message: `question "${id}" stands here twice` })
  })
  if (node.form) problems.push(...schemaProblems(node.form, `${at}/form`))
  return [...problems, ...assigneeProblems(node, at), ...timing(node, at)]
}

function timing(node: HumanNode, at: string): Problem[] {
  const due = node.due && durationMs(node.due)
  if (!due) return []
  const late = (duration: string, pointer: string) =>
    (durationMs(duration) ?? 0) >= due ? [{ pointer, message: `comes at or after the due time ${node.due}` }] : []
  return [
    ...(node.remind ?? []).flatMap((delay, i) => late(delay, `${at}/remind/${i}`)),
    ...(node.escalate ?? []).flatMap((step, i) => late(step.after, `${at}/escalate/${i}/after`)),
  ]
}
