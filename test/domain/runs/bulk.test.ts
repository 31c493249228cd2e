import fc from 'fast-check'
import { createPace } from '../../../domain/runs/bulk/pace.ts'
import { BULK_OPERATIONS, type RunFacts } from '../../../domain/runs/bulk/bulk.ts'
import { findBreadth } from '../../../domain/runs/bulk/breadth.ts'
import { JOB_KINDS, JOB_STATUSES } from '../../../domain/runs/jobs.ts'
import { getOperation } from '../../../services/runs/bulk/operations/index.ts'

describe('the pace of a bulk job', () => {
  const rate = fc.double({ min: 0.1, max: 50, noNaN: true })
  // The duration of each run in milliseconds.
  const costs = fc.array(fc.nat(300), { minLength: 1, maxLength: 60 })

  test("the number of starts in any period exceeds the job's share by at most one", () => {
    fc.assert(
      fc.property(rate, costs, (perSecond, spent) => {
        const pace = createPace(perSecond, 0)
        const begun: number[] = []
        let now = 0
        for (const cost of spent) {
          now += pace.reserve(now)
          begun.push(now)
          now += cost
        }
        for (const [i, first] of begun.entries())
          for (const [j, last] of begun.slice(i).entries())
            expect(j).toBeLessThanOrEqual(((last - first) * perSecond) / 1_000 + 1e-6)
      }),
    )
  })

  test('slow runs do not cause a burst afterwards', () => {
    const pace = createPace(10, 0)
    expect([pace.reserve(0), pace.reserve(5_000), pace.reserve(5_000)]).toEqual([100, 0, 100])
  })
})

describe('the rules of operations', () => {
  const facts: fc.Arbitrary<RunFacts> = fc.record({
    kind: fc.constantFrom(...JOB_KINDS),
    status: fc.constantFrom(...JOB_STATUSES),
    is_child: fc.boolean(),
    is_inline: fc.boolean(),
    pathway_version: fc.option(fc.integer({ min: 1, max: 3 })),
    is_cancelled: fc.boolean(),
    is_purged: fc.boolean(),
    is_retried: fc.boolean(),
    may_write: fc.boolean(),
  })

  test.each(BULK_OPERATIONS)('%s applies only to runs with its statuses, in writable brains', name => {
    const operation = getOperation(name)
    fc.assert(
      fc.property(facts, one => {
        const applies = operation.findObstacle(one, { names_cancelled: true }) === undefined
        expect(applies && !(one.may_write && operation.statuses.includes(one.status))).toBe(false)
      }),
    )
  })

  const run: RunFacts = {
    kind: 'pathway',
    status: 'failed',
    is_child: false,
    is_inline: false,
    pathway_version: null,
    is_cancelled: false,
    is_purged: false,
    is_retried: false,
    may_write: true,
  }

  test('a retry applies only to failed root runs that were not cancelled or retried', () => {
    const { findObstacle } = getOperation('retry')
    expect(findObstacle(run, {})).toBeUndefined()
    for (const field of ['is_child', 'is_purged', 'is_retried', 'is_cancelled'])
      expect(findObstacle({ ...run, [field]: true }, {})).toEqual(expect.any(String))
    expect(findObstacle({ ...run, is_cancelled: true }, { names_cancelled: true })).toBeUndefined()
  })

  test('a migration skips runs that already use the target version', () => {
    const { findObstacle } = getOperation('migrate')
    const waiting: RunFacts = { ...run, status: 'waiting', pathway_version: 2 }
    expect(findObstacle(waiting, { options: { to_version: 2 } })).toBe('The run is already on version 2')
    expect(findObstacle(waiting, { options: { to_version: 3 } })).toBeUndefined()
  })

  test('a cancel applies to all open jobs except purges', () => {
    const { findObstacle } = getOperation('cancel')
    for (const kind of JOB_KINDS)
      expect(findObstacle({ ...run, kind, status: 'waiting' }, {}) === undefined).toBe(kind !== 'purge')
  })
})

test('a filter counts as matching every run if it has no conditions, allows all statuses, or ends a moment ago', () => {
  const { statuses } = getOperation('cancel')
  const now = Date.parse('2026-06-01T12:00:00Z')
  const breadth = (filter: Parameters<typeof findBreadth>[0]) => findBreadth(filter, statuses, now)
  expect(breadth({})).toBe('none')
  expect(breadth({ statuses: [...JOB_STATUSES] })).toBe('none')
  expect(breadth({ statuses: [...statuses], created_before: '2026-06-01T11:59:00Z' })).toBe('none')
  expect(breadth({ created_after: '1970-01-01T00:00:00Z' })).toBe('other_times')
  expect(breadth({ created_before: '2026-05-01T00:00:00Z' })).toBe('other_times')
  expect(breadth({ statuses: ['waiting'] })).toBe('some')
  expect(breadth({ pathway_id: 'billing' })).toBe('some')
  const failed = getOperation('retry').statuses
  expect(findBreadth({ statuses: ['failed'] }, failed, now)).toBe('some')
  expect(findBreadth({ statuses: ['failed', 'completed'] }, failed, now)).toBe('none')
})
