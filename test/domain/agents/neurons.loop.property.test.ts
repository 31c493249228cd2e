import * as fc from 'fast-check'
import { advance, type LoopCommand, createLoopState } from '../../../domain/agents/loop.ts'
import type { RunLimits } from '../../../domain/agents/run-spec.ts'
import { AgentPlay } from '../support/agent-play.ts'
import { Choices, choices } from '../support/choices.ts'

const REPAIRS = 2
const WORLD = choices(300)
const LIMITS: fc.Arbitrary<RunLimits> = fc.record({
  max_steps: fc.integer({ min: 1, max: 6 }),
  budget_usd: fc.constantFrom(null, 1, 3),
})

const forAnyRun = (check: (play: AgentPlay, limits: RunLimits) => void) =>
  fc.assert(
    fc.property(LIMITS, WORLD, (limits, harness) => check(new AgentPlay(limits, new Choices(harness)).run(), limits)),
    { numRuns: 300 },
  )

const idsOf = (commands: { call: { id: string } }[]) => commands.map(({ call }) => call.id).toSorted()

/** Playing a run also checks that the input state stays unchanged, and that unexpected events change nothing. */
describe('any run of the loop', () => {
  test('ends once, with nothing open', () => {
    forAnyRun(({ ends, state }) => {
      expect(ends).toHaveLength(1)
      expect(state).toMatchObject({ phase: 'over', open: [] })
    })
  })

  test('calls the model at most once per step, once more for an answer, and again for repairs', () => {
    forAnyRun((play, { max_steps }) => {
      const thinks = play.of('call_model')
      expect(thinks.map(({ step }) => step)).toEqual(thinks.map((_, i) => i + 1))
      expect(thinks.length).toBeLessThanOrEqual(max_steps + 1 + REPAIRS)
      expect(thinks.map(({ final }) => final)).toEqual(thinks.map(({ step }) => step > max_steps))
    })
  })

  test('starts each valid call once, and each call ends once', () => {
    forAnyRun(play => {
      const wanted = play.asked.map(({ id }) => id)
      const begun = [...play.of('call'), ...play.of('ask')]
      expect(idsOf(begun)).toEqual(wanted.filter(id => !play.rejected.has(id)).toSorted())
      expect([...play.settled.keys()].toSorted()).toEqual(wanted.toSorted())
      expect([...play.settled.values()].every(times => times === 1)).toBe(true)
    })
  })

  test('requests each required approval, and starts the call only afterwards', () => {
    forAnyRun(play => {
      const ruled = play.asked.filter(({ approval }) => approval)
      expect(idsOf(play.of('approve'))).toEqual(ruled.map(({ id }) => id).toSorted())
      const begun = new Set(idsOf([...play.of('call'), ...play.of('ask')]))
      for (const { id } of ruled) expect(begun.has(id)).toBe(play.approved.has(id))
      const at = (type: LoopCommand['type'], id: string) =>
        play.commands.findIndex(command => command.type === type && 'call' in command && command.call.id === id)
      for (const id of play.approved) expect(Math.max(at('call', id), at('ask', id))).toBeGreaterThan(at('approve', id))
    })
  })

  test('tells the model once about each declined, answered or failed call', () => {
    forAnyRun(play => {
      const replies = idsOf(play.of('reply'))
      expect(new Set(replies).size).toBe(replies.length)
      for (const id of [...play.rejected, ...idsOf(play.of('ask'))]) expect(replies).toContain(id)
    })
  })

  test('stops calling the model once the budget is used up, unless a person allows more', () => {
    forAnyRun(play => {
      const after = play.commands.flatMap(({ type }, i) => (type === 'request_budget' ? [play.commands[i + 1]] : []))
      expect(after).toHaveLength(play.allowed.length)
      after.forEach((next, i) => {
        if (play.allowed[i]) expect(['call_model', 'request_budget']).toContain(next?.type)
        else expect(next).toMatchObject({ type: 'fail', error: { code: 'BUDGET_EXCEEDED' } })
      })
    })
  })
})

describe('the budget of a run', () => {
  const spent = (usd: number) => ({ input_tokens: 0, output_tokens: 0, usd })
  const limits = { max_steps: 9, budget_usd: 1 }
  const overspent = () => {
    const calls = [{ id: 'a', index: 0, name: 'x', kind: 'refused' as const }]
    const begun = advance(createLoopState(limits), { type: 'start' }, limits).state
    return advance(begun, { type: 'model_decided', decision: { finish: 'calls', calls, usage: spent(1.5) } }, limits)
  }
  const decided = (action: 'approve' | 'reject', data?: { budget_usd: number }) =>
    advance(overspent().state, { type: 'budget', decision: { action, by: 'user:ann', data } }, limits)

  test('a person is asked once the budget is used up', () => {
    expect(overspent().commands).toEqual([{ type: 'request_budget', step: 1, spent_usd: 1.5, budget_usd: 1 }])
  })

  test('the run continues with the new limit, or with the same budget again', () => {
    expect(decided('approve', { budget_usd: 2 })).toMatchObject({
      state: { budget_usd: 2 },
      commands: [{ type: 'call_model', step: 2 }],
    })
    expect(decided('approve').state.budget_usd).toBe(2.5)
  })

  test('a new limit below the amount spent does not let the run continue', () => {
    expect(decided('approve', { budget_usd: 1.2 }).commands).toMatchObject([
      { type: 'request_budget', budget_usd: 1.2 },
    ])
  })

  test("if a person declines, the run fails with that person's name", () => {
    expect(decided('reject').commands).toMatchObject([
      { type: 'fail', error: { code: 'BUDGET_EXCEEDED', message: expect.stringContaining('user:ann') } },
    ])
  })
})
