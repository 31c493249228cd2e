import { parseAnswer } from '../../../domain/agents/answers.ts'
import { approvalProblem, needsApproval, planApproval } from '../../../domain/agents/approval.ts'
import { findUnknownArguments } from '../../../domain/agents/approval-arguments.ts'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import {
  advance,
  type CallApproval,
  createLoopState,
  type ModelDecision,
  type RequestedCall,
} from '../../../domain/agents/loop.ts'
import { fillInstructions, instructionProblems } from '../../../domain/agents/instructions.ts'
import { checkEditable } from '../../../domain/resources/checking.ts'
import { getResourceKind } from '../../../domain/resources/kinds/index.ts'

describe('an approval rule', () => {
  test.each([
    ['never', {}, false],
    ['always', {}, true],
    [{}, {}, true],
    [{ assignees: ['group:finance'] }, {}, true],
    [{ when: 'args.amount > 100' }, { amount: 101 }, true],
    [{ when: 'args.amount > 100' }, { amount: 100 }, false],
    [{ when: 'true' }, {}, true],
    [{ when: 'false' }, {}, false],
  ] as const)('%j of %j: %s', (rule, args, needed) => {
    expect(needsApproval(rule as never, args)).toBe(needed)
  })

  test.each([
    ['names a missing value', 'args.amount > 100', {}],
    ['compares incomparable values', 'args.amount > 100', { amount: 'many' }],
    ['is not a boolean', 'args.amount', { amount: 0 }],
    ['cannot be parsed', 'args.amount >', { amount: 1 }],
    [
      'takes too long',
      '[1,2,3,4,5,6,7,8,9].all(a, args.l.all(b, args.l.all(c, args.l.all(d, b + c + d >= 0))))',
      many(),
    ],
  ])('that %s counts as required', (_, when, args) => {
    expect(needsApproval({ when }, args)).toBe(true)
  })

  describe('with another rule for the same tool', () => {
    const finance = { assignees: ['group:finance'] }
    const legal = { assignees: ['group:legal'] }
    const above = { when: 'args.n > 1' }
    const [byFinance, byLegal] = [{ assignees: ['group:finance'] }, { assignees: ['group:legal'] }]

    test.each([
      [['never', 'always'], [{ assignees: [] }]],
      [['never', 'never'], null],
      [['never', { when: 'args.n > 9' }], null],
      [['always', above], [{ assignees: [] }]],
      [['always', finance], [byFinance]],
      [[finance, { ...finance, ...above }], [byFinance]],
      [
        [finance, legal],
        [byFinance, byLegal],
      ],
      [
        [finance, { ...legal, ...above }],
        [byFinance, byLegal],
      ],
      [
        [finance, { ...legal, when: 'args.n > 9' }],
        [byFinance, { ...byLegal, when_edited: true }],
      ],
      [
        ['always', { ...legal, when: 'args.n > 9' }],
        [{ assignees: [] }, { ...byLegal, when_edited: true }],
      ],
      [[{ ...above, title: 'Pay ${args.n}?' }, finance], [{ ...byFinance, title: 'Pay 2?' }]],
    ] as const)('the rules %j ask %j', (rules, rounds) => {
      const sorted = (planned: unknown) => (planned as object[] | null)?.map(round => JSON.stringify(round)).toSorted()
      expect(planApproval(rules as never, { n: 2 })).toEqual(rounds)
      expect(sorted(planApproval(rules.toReversed() as never, { n: 2 }))).toEqual(sorted(rounds))
    })
  })

  test('is validated when it is saved', () => {
    expect(approvalProblem('args.amount > 100 && args.to != "me"')).toBeUndefined()
    expect(approvalProblem('args.amount')).toBeUndefined()
    expect(approvalProblem('1 + 1')).toMatch(/true or false/)
    expect(approvalProblem('args.amount >')).toBeDefined()
    expect(approvalProblem('variables.limit > 1')).toMatch(/variables/)
  })

  describe('with arguments', () => {
    const amount = { type: 'object', properties: { amount: { type: 'number' } } }
    const order = { properties: { to: { type: 'object', properties: { name: {} } }, lines: { type: 'array' } } }

    test.each([
      ['args.amunt > 1.0', [amount], ['args.amunt']],
      ['args.amount > 1.0 && args["amunt"] > 1.0', [amount], ['args.amunt']],
      ['args.to.nme == "Ann"', [order], ['args.to.nme']],
      ['args.amount > 1.0', [order, { properties: {} }], ['args.amount']],
      ['args.amount > 1.0 || args.to.name == "Ann"', [amount, order], []],
      ['has(args.amunt) && args.amount > 1.0', [amount], []],
      ['args.lines.exists(args, args.amunt > 1)', [order], []],
      ['args.lines[0].price > 1.0 && args.lines.all(l, l.price > 1.0)', [order], []],
      ['args.any > 1', [{}], []],
      ['args.any > 1', [{ ...amount, additionalProperties: { type: 'number' } }], []],
      ['args.any > 1', [{ ...amount, anyOf: [{ properties: { any: {} } }] }], []],
      ['args.amunt > 1', [], []],
      ['args.amunt >', [amount], []],
    ])('%s reads, for %j, the unknown arguments %j', (when, tools, unknown) => {
      const problems = findUnknownArguments({ when }, tools)
      expect(problems.map(({ pointer, message }) => [pointer, /"(.*)"/.exec(message)?.[1]])).toEqual(
        unknown.map(name => ['/when', name]),
      )
    })

    test('a title is checked in the same way, and the error lists the available arguments', () => {
      expect(findUnknownArguments({ title: 'Pay ${args.amount} to ${args.too}?' }, [amount, order])).toEqual([
        { pointer: '/title', message: 'no tool has the argument "args.too"; the arguments are amount, to, lines' },
      ])
    })
  })

  test('is rejected when it is saved if an assignee is invalid', () => {
    const check = (...assignees: string[]) => {
      const document = { tools: [{ reflex: 'mail', approval: { assignees } }] }
      const neuron = { title: 'N', slug: 'n', path: '/', scope: 'workspace', brain_id: null, is_active: true, document }
      const checked = checkEditable(neuron, getResourceKind('neurons'))
      return 'problems' in checked ? checked.problems : []
    }
    expect(check('user:ann', 'group:finance', 'key:app')).toEqual([])
    const pointer = '/document/tools/0/approval/assignees/1'
    const message = 'must be a person such as user:ann or a group such as group:finance, not "procurement"'
    expect(check('user:ann', 'procurement')).toEqual([{ pointer, message }])
  })
})

describe('instructions', () => {
  const run = { requester: 'user:ann', at: '2026-01-02T03:04:05Z' }
  const fill = (text: string, variables = {}) => fillInstructions(text, { variables, run })

  test('are filled with values from the run', () => {
    expect(fill('Help ${variables.name}, ${variables.age + 1}.', { name: 'Ann', age: 41 })).toBe('Help Ann, 42.')
    expect(fill('You speak for ${run.requester}.')).toBe('You speak for user:ann.')
    expect(fill('${variables.rules}', { rules: ['be brief'] })).toBe('["be brief"]')
  })

  test('without expressions stay unchanged, and $${ is an escape', () => {
    expect(fill('Say {{hello}} for $5.')).toBe('Say {{hello}} for $5.')
    expect(fill('Write $${name}.')).toBe('Write ${name}.')
  })

  test('do not evaluate expressions inside values', () => {
    expect(fill('About ${variables.topic}', { topic: '${run.requester}' })).toBe('About ${run.requester}')
  })

  test('with a missing value cause an error that names the value', () => {
    expect(() => fill('Help ${variables.name}.')).toThrow(/name/)
    expect(() => fill('Help ${nobody}.')).toThrow(/nobody/)
  })

  test('are validated when they are saved', () => {
    expect(instructionProblems('Help ${variables.name}.')).toEqual([])
    expect(instructionProblems('${1 +} and ${secrets.key}')).toHaveLength(2)
  })
})

describe('the text of a pathway result', () => {
  test.each([
    ['Done.', 'Done.'],
    [{ output: 'a', text: 'b' }, 'a'],
    [{ text: 'b' }, 'b'],
    [{ message: 'c', total: 3 }, 'c'],
    [{ answer: 'd' }, 'd'],
    [{ total: 3 }, '{"total":3}'],
    [[1, 2], '[1,2]'],
    [null, 'null'],
  ])('%j becomes %s', (result, output) => {
    expect(parseAnswer(result)).toMatchObject({ output, finish_reason: 'stop' })
  })

  test('a result other than text is also available as data', () => {
    expect(parseAnswer({ text: 'b', total: 3 }).data).toEqual({ text: 'b', total: 3 })
    expect(parseAnswer('Done.')).not.toHaveProperty('data')
  })
})

test('the cost of a neuron used as a tool counts towards the budget', () => {
  const limits = { max_steps: 5, budget_usd: 1 }
  const usage = (usd: number) => ({ input_tokens: 1, output_tokens: 1, usd })
  const call: RequestedCall = { id: 'a', index: 0, name: 'poet', kind: 'neuron' }
  const thinking = advance(createLoopState(limits), { type: 'start' }, limits).state
  const decision: ModelDecision = { finish: 'calls', calls: [call], usage: usage(0.5) }
  const acting = advance(thinking, { type: 'model_decided', decision }, limits).state
  const { commands } = advance(acting, { type: 'called', id: 'a', usage: usage(0.75) }, limits)
  expect(commands).toEqual([{ type: 'request_budget', step: 1, spent_usd: 1.25, budget_usd: 1 }])
})

describe('a call approved under two rules', () => {
  const limits = { max_steps: 5, budget_usd: null }
  const usage = { input_tokens: 1, output_tokens: 1, usd: 0 }
  const approval = (more: object[]): CallApproval => ({
    rounds: [{ assignees: ['group:finance'] }, { assignees: ['group:legal'] }, ...(more as [])],
    pending: [0, 1],
    decided: 0,
    fixed: { from: 'us' },
  })
  const begin = (...more: object[]) => {
    const call: RequestedCall = { id: 'a', index: 0, name: 'pay', kind: 'tool', approval: approval(more) }
    const decision: ModelDecision = { finish: 'calls', calls: [call], usage, labels: ['http'] }
    return advance(
      advance(createLoopState(limits), { type: 'start' }, limits).state,
      { type: 'model_decided', decision },
      limits,
    )
  }
  const decide = (
    { state }: Pick<ReturnType<typeof begin>, 'state'>,
    data?: JsonValue,
    action: 'approve' | 'reject' = 'approve',
  ) =>
    advance(
      state,
      { type: 'decided', id: 'a', decision: { action, by: 'user:ann', ...(data !== undefined && { data }) } },
      limits,
    )
  /** Returns the group that is asked, or the arguments used in the call. */
  const next = ({ commands: [command] }: ReturnType<typeof begin>) => {
    if (command?.type !== 'approve') return command?.type === 'call' ? (command.args ?? 'as proposed') : command?.type
    const { rounds, pending } = command.call.approval as CallApproval
    return rounds[pending[0] ?? -1]?.assignees[0]
  }

  test('is made after both approvals', () => {
    const first = begin()
    expect(next(first)).toBe('group:finance')
    const second = decide(first)
    expect(next(second)).toBe('group:legal')
    expect(next(decide(second))).toBe('as proposed')
    expect(decide(second).commands).toEqual([expect.not.objectContaining({ labels: ['http'] })])
    expect(next(decide(second, undefined, 'reject'))).toBe('reply')
  })

  test('needs a new approval from people who approved different arguments', () => {
    const changed = decide(decide(begin()), { amount: 2 })
    expect(next(changed)).toBe('group:finance')
    expect(changed.commands).toMatchObject([{ call: { shown: { amount: 2, from: 'us' } } }])
    expect(next(decide(changed))).toEqual({ amount: 2 })
  })

  test('needs approval under a rule that only the changed arguments match', () => {
    const third = { assignees: ['group:board'], when_edited: true }
    expect(next(decide(decide(begin(third))))).toBe('as proposed')
    const changed = decide(begin(third), { amount: 3 })
    expect(next(changed)).toBe('group:legal')
    expect(next(decide(changed))).toBe('group:board')
    expect(next(decide(decide(changed)))).toEqual({ amount: 3 })
  })
})

function many(): { l: number[] } {
  return { l: Array.from({ length: 300 }, (_, i) => i) }
}
