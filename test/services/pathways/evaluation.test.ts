import { Unavailable } from '../../../domain/shared/errors.ts'
import { ExpressionError } from '../../../domain/pathways/expressions/expression-error.ts'
import { checkEditable } from '../../../domain/resources/checking.ts'
import { getResourceKind } from '../../../domain/resources/kinds/index.ts'
import { openEvaluator } from '../../../services/pathways/evaluation/evaluator.ts'

const evaluator = openEvaluator()
afterAll(() => evaluator.close())

/** Counts the turns of the event loop while some work is in progress. Work that blocks the loop gets 0 turns. */
async function countTurns<T>(work: Promise<T>): Promise<{ result: T; turns: number }> {
  let turns = 0
  const counting = setInterval(() => turns++, 1)
  const result = await work.finally(() => clearInterval(counting))
  return { result, turns }
}

describe('a long evaluation does not block the event loop:', () => {
  const schema = { type: 'array', items: { anyOf: Array.from({ length: 300 }, (_, i) => ({ required: [`k${i}`] })) } }
  const numbers = Array.from({ length: 2_000 }, (_, i) => i)

  test('a schema', async () => {
    const value = Array.from({ length: 2_000 }, () => ({}))
    const { result, turns } = await countTurns(evaluator.evaluate('w', 'findSchemaProblems', schema, value, '/input'))
    expect(result[0]).toMatchObject({ pointer: expect.stringMatching(/^\/input\/0/) })
    expect(turns).toBeGreaterThan(5)
  })

  test('an expression', async () => {
    const source = 'a.filter(x, a.exists(y, y == -1)).size()'
    // Several evaluations take turns, so that a busy machine leaves some time to the event loop.
    const evaluate = () => evaluator.evaluate('w', 'evaluateExpression', source, { a: numbers.slice(0, 300) })
    const { result, turns } = await countTurns(Promise.all(Array.from({ length: 5 }, evaluate)))
    expect(result).toEqual([0, 0, 0, 0, 0])
    expect(turns).toBeGreaterThan(5)
  })

  test('an evaluation that exceeds all limits fails', async () => {
    const source = 'a.filter(x, a.exists(y, y == -1)).size()'
    const failure = await evaluator.evaluate('w', 'evaluateExpression', source, { a: numbers }).catch(error => error)
    expect(failure).toBeInstanceOf(ExpressionError)
    expect(failure).toMatchObject({ code: 'EXPRESSION_TOO_COSTLY' })
  })

  test('an approval rule: approval is required if the rule is too costly to evaluate', async () => {
    const when = 'args.a.exists(x, args.a.exists(y, x + y == -1))'
    expect(await evaluator.evaluate('w', 'planApproval', [{ when }], { a: numbers.slice(0, 300) })).toBeNull()
    expect(await evaluator.evaluate('w', 'planApproval', [{ when }], { a: numbers })).toEqual([{ assignees: [] }])
  })
})

describe('a large document', () => {
  const reflex = (openapi: object) => ({
    title: 'Things',
    slug: 'things',
    path: '/',
    scope: 'workspace',
    brain_id: null,
    is_active: true,
    document: { source: 'openapi', openapi: JSON.stringify(openapi) },
  })
  const described = (parameter: object) => ({
    openapi: '3.1.0',
    info: { title: 'Things', version: '1', description: 'x'.repeat(20_000) },
    servers: [{ url: 'https://things.example' }],
    paths: { '/things/{id}': { get: { operationId: 'getThing', parameters: [parameter] } } },
  })
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }

  test.each([
    ['that is valid', described(id)],
    ['that has problems', described({ ...id, in: 'nowhere' })],
  ])('%s is checked in a thread, with the same result', async (_, openapi) => {
    const wanted = reflex(openapi)
    const checked = await evaluator.evaluate('w', 'checkEditable', wanted, 'reflexes')
    expect(checked).toEqual(checkEditable(wanted, getResourceKind('reflexes')))
  })
})

test('a workspace with too many long evaluations is rejected, while another workspace is served', async () => {
  const source = 'a.filter(x, a.exists(y, y == -1)).size()'
  const a = Array.from({ length: 300 }, (_, i) => i)
  const start = (workspace: string) => evaluator.evaluate(workspace, 'evaluateExpression', source, { a })
  const outcomes = await Promise.allSettled([...Array.from({ length: 8 }, () => start('busy')), start('other')])
  expect(outcomes.at(-1)).toEqual({ status: 'fulfilled', value: 0 })
  expect(outcomes.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => ({ status: 'fulfilled', value: 0 })))
  for (const outcome of outcomes.slice(5, 8)) expect(outcome).toMatchObject({ reason: expect.any(Unavailable) })
})
