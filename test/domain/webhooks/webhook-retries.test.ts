import fc from 'fast-check'
import { computeRetryDelay, MAX_RETRY_AFTER_MS } from '../../../domain/webhooks/webhook-retries.ts'

const HOUR = 3_600_000

function listDelays(random: number): number[] {
  const delays: number[] = []
  for (let attempts = 1; ; attempts++) {
    const delay = computeRetryDelay(attempts, undefined, random)
    if (delay === undefined) return delays
    delays.push(delay)
  }
}

test('all attempts at a delivery together take about a day', () => {
  const total = (random: number) => listDelays(random).reduce((sum, delay) => sum + delay, 0)
  expect(total(0.5)).toBeGreaterThan(24 * HOUR)
  expect(total(0)).toBeGreaterThan(20 * HOUR)
  expect(total(1)).toBeLessThan(32 * HOUR)
  expect(listDelays(0.5)).toHaveLength(8)
})

test('each of the first seven delays is longer than the previous one, with any jitter', () => {
  const random = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), random, random, (attempts, one, other) => {
      const [earlier = 0, later = 0] = [
        computeRetryDelay(attempts, undefined, one),
        computeRetryDelay(attempts + 1, undefined, other),
      ]
      return earlier < later
    }),
  )
})

test('an endpoint can lengthen a delay up to a limit, but not shorten it', () => {
  expect(computeRetryDelay(1, 2 * HOUR, 0.5)).toBe(2 * HOUR)
  expect(computeRetryDelay(1, 1, 0.5)).toBe(5_000)
  expect(computeRetryDelay(1, 100 * HOUR, 0.5)).toBe(MAX_RETRY_AFTER_MS)
})
