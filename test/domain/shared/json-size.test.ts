import { exceedsJsonSize } from '../../../domain/shared/json/json-size.ts'

describe('exceedsJsonSize', () => {
  test('counts text, keys and values', () => {
    expect(exceedsJsonSize({ a: ['x'.repeat(50), 'y'.repeat(30)] }, 100)).toBe(false)
    expect(exceedsJsonSize({ a: ['x'.repeat(50), 'y'.repeat(50)] }, 100)).toBe(true)
    const zeros = Array.from({ length: 50 }, () => 0)
    expect(exceedsJsonSize(zeros, 100)).toBe(true)
  })

  test('stops counting at the limit', () => {
    const endless = {
      get next() {
        return endless
      },
    }
    expect(exceedsJsonSize(endless, 1_000)).toBe(true)
  })
})
