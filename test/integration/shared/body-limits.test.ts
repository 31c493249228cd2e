import { randomUUID } from 'node:crypto'
import { CONTENTS } from '../../attacks/isolation/request-contents.ts'
import { type DeclaredOperation, readKeyOperations } from '../../support/clients/declared-operations.ts'
import { pathway } from '../../support/runs/runs.ts'
import { type Components, type Limit, listLimits, resolveSchema } from '../../support/clients/schema-limits.ts'
import { useStack } from '../../support/stack/use-stack.ts'

/** The service enforces the limits of JSON bodies in the OpenAPI document. */

const context = useStack()

type Request = Pick<DeclaredOperation, 'method' | 'path'>

interface Problem {
  pointer: string
  message: string
}

/** Texts limited by the size of their body, document or audio. */
const BY_SIZE =
  /\/(?:text|content|content_base64|audio_base64)$|\/content\/(?:replace|append|edits\/0\/(?:find|replace))$/
/** Larger bodies are rejected with 413, regardless of their content. */
const MAX_BODY_CHARS = 1_000_000

/** The ids, by collection, of the resources that patches change. */
let ids: Record<string, string>

beforeAll(async () => {
  const title = 'One'
  const create = async (collection: string, fields: object = {}): Promise<string> =>
    (await context.workspace.client.post<{ id: string }>(`/v1/${collection}`, { title, ...fields })).body.id
  const neurons = await create('neurons')
  const say = pathway([{ id: 'say', type: 'transform', with: { value: 1 } }])
  const pathways = await create('pathways', { definition: say })
  ids = {
    neurons,
    receptors: await create('receptors', { target: { type: 'neuron', ref: neurons } }),
    pathways,
    triggers: await create('triggers', { target: { type: 'pathway', ref: pathways } }),
    reflexes: await create('reflexes'),
    skills: await create('skills'),
    artifacts: await create('artifacts', { content: 'text' }),
    meetings: await create('meetings'),
  }
})

async function readComponents(): Promise<{ schemas: Components }> {
  const { body } = await context.workspace.client.get<Record<string, unknown>>('/v1/openapi.json')
  return (body as unknown as { components: { schemas: Components } }).components
}

/**
 * Patches refer to existing resources, so that the rules for their kind are checked. Other requests refer to nothing
 * and start nothing.
 */
function fillPath({ method, path }: DeclaredOperation): string {
  const [, , collection = ''] = path.split('/')
  const id = method === 'PATCH' ? ids[collection] : undefined
  return path
    .replace('{catalog}', 'skills')
    .replace('{workspace_slug}', context.workspace.slug)
    .replaceAll(/\{\w+\}/g, id ?? randomUUID())
}

/** Builds a body that is rejected for a reason other than the limited field, so that nothing is saved. */
function buildBase({ name, body: schema }: DeclaredOperation): object {
  const owned = { interventions: [randomUUID()], neurons: ['nobody'], pathways: ['nobody'], skills: ['nobody'] }
  const [{ body = {} } = {}] = CONTENTS[name]?.({ owned, marker: 'limits', workspace: context.workspace }) ?? []
  return { ...body, ...(schema?.properties?.['description'] && { description: 7 }) }
}

interface Refused {
  details?: Problem[]
  results?: Refused[]
}

/** Lists the problems in a body, or in the documents of a batch. */
const listProblems = ({ details = [], results = [] }: Refused): Problem[] => [
  ...details,
  ...results.flatMap((result, i) =>
    listProblems(result).map(({ pointer, message }) => ({ pointer: `/documents/${i}${pointer}`, message })),
  ),
]

/** Returns the messages about a field, or about its parents. */
async function findProblems({ method, path }: Request, pointer: string, body: unknown): Promise<string[]> {
  const { body: answer } = await context.workspace.client.call<Refused | undefined>(method, path, body)
  const problems = listProblems(answer ?? {})
  return problems.filter(at => at.pointer !== '' && `${pointer}/`.startsWith(`${at.pointer}/`)).map(at => at.message)
}

/** Messages state the requirement, or name the missing or unknown value. */
const VOICE = /^(?:must |is required|is not a known |there is no |")/

/** Returns whether the value beyond the limit is rejected, and the value at the limit is accepted. */
async function isHeld(request: Request, { pointer, at, beyond }: Limit): Promise<boolean> {
  const [accepted = [], refused = []] = await Promise.all(
    [at, beyond].map(body => findProblems(request, pointer, body)),
  )
  const isNew = (message: string) => !accepted.includes(message)
  expect(refused.filter(message => !VOICE.test(message))).toEqual([])
  return refused.some(isNew) && !accepted.some(message => /at (?:most|least)/.test(message))
}

test('a value beyond its limit is rejected with its pointer, and a value at its limit is accepted', async () => {
  const { schemas } = await readComponents()
  const unlimited = new Set<string>()
  const checks = (await readKeyOperations(context.workspace.client)).flatMap(operation => {
    if (!operation.body) return []
    const request = { method: operation.method, path: fillPath(operation) }
    const limits = listLimits(operation.body, schemas, buildBase(operation), pointer => {
      if (!BY_SIZE.test(pointer)) unlimited.add(`${operation.name} ${pointer}`)
    })
    const sendable = limits.filter(({ beyond }) => JSON.stringify(beyond).length < MAX_BODY_CHARS)
    return sendable.map(
      limit => async () => ((await isHeld(request, limit)) ? [] : [`${operation.name} ${limit.pointer}`]),
    )
  })
  expect([...unlimited]).toEqual([])
  expect(checks.length).toBeGreaterThan(150)
  const problems: string[] = []
  for (let i = 0; i < checks.length; i += 8)
    problems.push(...(await Promise.all(checks.slice(i, i + 8).map(check => check()))).flat())
  expect(problems).toEqual([])
})

test('an empty body is rejected for exactly the fields that the document requires', async () => {
  const { schemas } = await readComponents()
  const problems: string[] = []
  for (const operation of await readKeyOperations(context.workspace.client)) {
    const { name, method, body: schema, isBodyRequired } = operation
    if (!schema) continue
    const { status, body } = await context.workspace.client.call<Refused>(method, fillPath(operation), {})
    const pointers = listProblems(body)
      .flatMap(({ pointer }) => (pointer === '' ? [] : pointer))
      .toSorted()
    const required = (resolveSchema(schema, schemas).required ?? []).map(field => `/${field}`)
    if ((status === 400) !== isBodyRequired || pointers.join() !== required.toSorted().join())
      problems.push(`${name}: ${status} ${pointers.join()} instead of ${isBodyRequired} ${required.join()}`)
  }
  expect(problems).toEqual([])
})

/**
 * Fields that requests to other services set themselves. The brain and the version of a change are fields in some
 * bodies.
 */
const FOREIGN = ['workspace_id', 'created_by', 'created_at', 'requester', 'is_admin', 'permissions', 'constructor']

test('unknown body fields are rejected by name on every route', async () => {
  const { schemas } = await readComponents()
  const problems: string[] = []
  let tried = 0
  for (const operation of await readKeyOperations(context.workspace.client)) {
    const { name, method, body: schema } = operation
    if (!schema) continue
    const own = Object.keys(resolveSchema(schema, schemas).properties ?? {})
    const foreign = FOREIGN.filter(field => !own.includes(field))
    const body = { ...buildBase(operation), ...Object.fromEntries(foreign.map(field => [field, 'mine'])) }
    const answer = await context.workspace.client.call<Refused>(method, fillPath(operation), body)
    const pointers = new Set(listProblems(answer.body).map(({ pointer }) => pointer))
    const taken = foreign.filter(field => !pointers.has(`/${field}`))
    if (answer.status !== 400 || taken.length > 0) problems.push(`${name}: ${answer.status}, took ${taken.join()}`)
    tried += foreign.length
  }
  expect(problems).toEqual([])
  expect(tried).toBeGreaterThan(300)
})
