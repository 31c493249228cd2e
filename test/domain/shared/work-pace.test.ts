import { setTimeout as sleep } from 'node:timers/promises'
import { createWorkPace, type WorkPace } from '../../../domain/shared/fairness/work-pace.ts'

const ATTEMPTS = 5
const reserve = (pace: WorkPace, workspace: string) => Array.from({ length: ATTEMPTS }, () => pace.reserve(workspace))

describe('starts of a workspace', () => {
  test('begin at once while it is alone', () => {
    const pace = createWorkPace(() => true, { busyMs: 100 })
    expect(reserve(pace, 'a')).toEqual([0, 0, 0, 0, 0])
  })

  test('begin at once while a processor is idle, or closer to each other', () => {
    const last = (isBusy: boolean, idleGapMs?: number) => {
      const pace = createWorkPace(() => isBusy, { busyMs: 100, idleMs: idleGapMs })
      pace.note('b')
      return reserve(pace, 'a').at(-1) ?? 0
    }
    expect(last(false)).toBe(0)
    expect(last(false, 30)).toBeGreaterThan(0)
    expect(last(false, 30)).toBeLessThan(last(true) / 2)
  })

  test('begin at once when a processor is idle again, however many have a later place', () => {
    let isBusy = true
    const pace = createWorkPace(() => isBusy, { busyMs: 100 })
    pace.note('b')
    expect(reserve(pace, 'a').at(-1)).toBeGreaterThan(0)
    isBusy = false
    expect(pace.reserve('a')).toBe(0)
  })

  test('are spaced while the machine is busy and another workspace has work; the first begins at once', () => {
    const pace = createWorkPace(() => true, { busyMs: 100 })
    pace.note('b')
    const [first, ...later] = reserve(pace, 'a')
    expect(first).toBe(0)
    expect(later).toEqual(later.toSorted((a, b) => a - b))
    expect(new Set(later).size).toBe(later.length)
    expect(later[0]).toBeGreaterThan(0)
    expect(pace.reserve('b')).toBe(0)
  })

  test('begin at once after a pause, as many as are saved', async () => {
    const pace = createWorkPace(() => true, { busyMs: 100, saved: 2 })
    pace.note('b')
    pace.reserve('a')
    await sleep(400)
    const [first, second, third, fourth] = reserve(pace, 'a')
    expect([first, second, third]).toEqual([0, 0, 0])
    expect(fourth).toBeGreaterThan(0)
  })

  test('that would have to wait too long are not reserved', () => {
    const pace = createWorkPace(() => true, { busyMs: 100 })
    pace.note('b')
    expect([pace.reserve('a', 50), pace.reserve('a', 50)]).toEqual([0, undefined])
    expect(pace.reserve('a', 150)).toBeGreaterThan(50)
  })
})
