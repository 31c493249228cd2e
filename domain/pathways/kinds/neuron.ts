import { MAX_MESSAGE_FILES, readFileIds } from '../../documents/files.ts'
import type { JsonObject, JsonValue, Problem } from '../../shared/json/json.ts'
import { type EffectKind, type NodeFields, type NodeOf, LINE, onlyDefault, TEXT } from './kind.ts'
import { schemaProblems } from './schema-problems.ts'

const fields = {
  properties: {
    /**
     * Slug or id of a stored agent, optionally with `@version`. If absent, the node is a single model call configured
     * by `with`.
     */
    ref: LINE,
    with: {
      type: 'object',
      properties: {
        model: LINE,
        instructions: TEXT,
        message: TEXT,
        /** The files that the model gets: expressions that return ids of files, or objects with an `id`. */
        files: { type: ['string', 'array'], minLength: 1, maxLength: 500, maxItems: MAX_MESSAGE_FILES, items: LINE },
        variables: { type: 'object', maxProperties: 100 },
        /** JSON Schema of the structured answer, which is returned as `output.data`. */
        schema: { type: 'object' },
        max_output_tokens: { type: 'integer', minimum: 1, maximum: 200_000 },
        temperature: { type: 'number', minimum: 0, maximum: 2 },
      },
      required: ['message'],
      additionalProperties: false,
    },
  },
  required: ['with'],
} as const satisfies NodeFields

export type NeuronNode = NodeOf<'neuron', typeof fields>

export const neuron: EffectKind<NeuronNode> = {
  type: 'neuron',
  fields,
  allows: { timeout: true, retry: true, compensate: true },
  ports: onlyDefault,
  // `schema` is a JSON Schema, not a template: `${` has no meaning in it.
  labels: ({ with: { files } }) => (files === undefined ? ['model'] : ['document', 'model']),
  bindings: ({ with: { schema: _schema, ...texts } }) => [{ at: '/with', template: texts as JsonObject }],
  start: (node, context) => {
    const { schema, instructions } = node.with
    // If the message is a single value and there are no instructions, the value is the question itself.
    const { value, boundary } = context.evaluateMarked(
      '/with',
      ({ at, isWhole }) =>
        at.endsWith('/instructions') || (at.endsWith('/message') && !(isWhole && instructions === undefined)),
    )
    const { message, files = [], ...others } = value as JsonObject
    const ids = readFileIds(files)
    if ('problem' in ids) return { type: 'failed', code: 'NODE_INPUT_INVALID', message: `with.files: ${ids.problem}` }
    // An expression may return a value that is not a string.
    const text = typeof message === 'string' ? message : JSON.stringify(message)
    const texts = { ...others, message: text, ...(ids.length > 0 && { files: ids }), ...(boundary && { boundary }) }
    if (node.ref !== undefined) return { type: 'child', input: texts }
    return { type: 'run', with: schema ? { ...texts, schema } : texts }
  },
  // A model call needs no right. Starting a child run checks the right to run a stored agent.
  effect: {
    right: null,
    defaultTimeoutMs: 600_000,
    mayHaveSideEffects: () => false,
    canCompensate: ({ ref }) => ref === undefined,
  },
  isChildRun: ({ ref }) => ref !== undefined,
  problems: neuronProblems,
}

/**
 * Lists settings that can't be combined with a stored agent, variables set without one, and files that are no
 * expressions.
 */
function neuronProblems({ ref, with: settings, retry }: NeuronNode, { at }: { at: string }): Problem[] {
  const fileProblems = findLiteralFiles(settings.files, `${at}/with/files`)
  if (ref === undefined) {
    const settingsProblems = settings.schema ? schemaProblems(settings.schema, `${at}/with/schema`) : []
    const variablesProblem = { pointer: `${at}/with/variables`, message: 'must only be set together with ref' }
    return [...fileProblems, ...settingsProblems, ...(settings.variables ? [variablesProblem] : [])]
  }
  const set = SETTINGS.filter(name => settings[name] !== undefined)
  const problems = [
    ...fileProblems,
    ...set.map(name => ({ pointer: `${at}/with/${name}`, message: 'must not be set together with ref' })),
  ]
  return retry
    ? [
        ...problems,
        { pointer: `${at}/retry`, message: 'must not be set together with ref: a stored neuron has its own retries' },
      ]
    : problems
}

const SETTINGS = ['model', 'instructions', 'schema', 'max_output_tokens', 'temperature'] as const

/** A file belongs to one run, so a definition can't name it by its id. */
function findLiteralFiles(files: NeuronNode['with']['files'] = [], at: string): Problem[] {
  const isLiteral = (text: JsonValue) => typeof text === 'string' && !text.includes('${')
  const message = 'must be an expression, such as ${input.file}'
  if (!Array.isArray(files)) return isLiteral(files) ? [{ pointer: at, message }] : []
  return files.flatMap((text, i) => (isLiteral(text) ? [{ pointer: `${at}/${i}`, message }] : []))
}
