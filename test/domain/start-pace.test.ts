import { createStartPace } from '../../domain/start-pace.ts'

const ATTEMPTS = 5
const reserve = (pace: ReturnType<typeof createStartPace>, workspace: string) =>
  Array.from({ length: ATTEMPTS }, () => pace.reserve(workspace))

describe('starts of a workspace', () => {
  test('begin at once while it is alone', () => {
    const pace = createStartPace(() => true)
    expect(reserve(pace, 'a')).toEqual([0, 0, 0, 0, 0])
  })

  test('begin at once while a processor is idle, or closer to each other', () => {
    const last = (isBusy: boolean, idleGapMs?: number) => {
      const pace = createStartPace(() => isBusy, idleGapMs)
      pace.note('b')
      return reserve(pace, 'a').at(-1) ?? 0
    }
    expect(last(false)).toBe(0)
    expect(last(false, 30)).toBeGreaterThan(0)
    expect(last(false, 30)).toBeLessThan(last(true) / 2)
  })

  test('are spaced while the machine is busy and another workspace has work; the first begins at once', () => {
    const pace = createStartPace(() => true)
    pace.note('b')
    const [first, ...later] = reserve(pace, 'a')
    expect(first).toBe(0)
    expect(later).toEqual(later.toSorted((a, b) => a - b))
    expect(new Set(later).size).toBe(later.length)
    expect(later[0]).toBeGreaterThan(0)
    expect(pace.reserve('b')).toBe(0)
  })
})
