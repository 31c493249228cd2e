const Real = Date

/**
 * A stand-in like the one that Temporal's sandbox installs before it loads a workflow. Dates refer to a different
 * constructor.
 */
function StandIn(...args: [number]): Date {
  return args.length > 0 ? new Real(...args) : new Real(0)
}
StandIn.prototype = Real.prototype
const standIn = Object.assign(StandIn, { now: () => 0, parse: Real.parse.bind(Real), UTC: Real.UTC.bind(Real) })

describe('times inside a workflow', () => {
  beforeAll(() => void Object.assign(globalThis, { Date: standIn }))
  afterAll(() => void Object.assign(globalThis, { Date: Real }))

  test.each([
    ['[timestamp(input.at)][0].getFullYear()', 2024],
    ['input.all.map(t, timestamp(t)).filter(t, t > timestamp("2024-06-01T00:00:00Z"))', ['2025-01-01T00:00:00.000Z']],
    ['cel.bind(t, timestamp(input.at), t + duration("1h"))', '2024-01-01T01:00:00.000Z'],
    ['{"at": timestamp(input.at)}', { at: '2024-01-01T00:00:00.000Z' }],
  ])('%s', async (source, expected) => {
    expect(new Date(0).constructor).not.toBe(Date)
    // Imported here, after the stand-in is installed.
    const { evaluate } = await import('../support/evaluate.ts')
    const input = { at: '2024-01-01T00:00:00Z', all: ['2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z'] }
    expect(evaluate(source, { input })).toEqual(expected)
  })
})
