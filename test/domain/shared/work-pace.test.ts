import { setTimeout as sleep } from 'node:timers/promises'
import { createWorkPace, type WorkPace } from '../../../domain/shared/fairness/work-pace.ts'

const ATTEMPTS = 5
const reserve = (pace: WorkPace, workspace: string) => Array.from({ length: ATTEMPTS }, () => pace.reserve(workspace))

describe('starts in a workspace', () => {
  test('are immediate while it is the only active workspace', () => {
    const pace = createWorkPace(() => true, { busyMs: 100 })
    expect(reserve(pace, 'a')).toEqual([0, 0, 0, 0, 0])
  })

  test('are immediate or closer together while a processor is idle', () => {
    const last = (isBusy: boolean, idleGapMs?: number) => {
      const pace = createWorkPace(() => isBusy, { busyMs: 100, idleMs: idleGapMs })
      pace.note('b')
      return reserve(pace, 'a').at(-1) ?? 0
    }
    expect(last(false)).toBe(0)
    expect(last(false, 30)).toBeGreaterThan(0)
    expect(last(false, 30)).toBeLessThan(last(true) / 2)
  })

  test('are immediate once a processor is idle again, however many are queued', () => {
    let isBusy = true
    const pace = createWorkPace(() => isBusy, { busyMs: 100 })
    pace.note('b')
    expect(reserve(pace, 'a').at(-1)).toBeGreaterThan(0)
    isBusy = false
    expect(pace.reserve('a')).toBe(0)
  })

  test('are spaced while the machine is busy and another workspace has work, but the first is immediate', () => {
    const pace = createWorkPace(() => true, { busyMs: 100 })
    pace.note('b')
    const [first, ...later] = reserve(pace, 'a')
    expect(first).toBe(0)
    expect(later).toEqual(later.toSorted((a, b) => a - b))
    expect(new Set(later).size).toBe(later.length)
    expect(later[0]).toBeGreaterThan(0)
    expect(pace.reserve('b')).toBe(0)
  })

  test('are immediate after a pause, up to the saved number', async () => {
    const pace = createWorkPace(() => true, { busyMs: 100, saved: 2 })
    pace.note('b')
    pace.reserve('a')
    await sleep(400)
    const [first, second, third, fourth] = reserve(pace, 'a')
    expect([first, second, third]).toEqual([0, 0, 0])
    expect(fourth).toBeGreaterThan(0)
  })

  test('are not reserved if the wait would be too long', () => {
    const pace = createWorkPace(() => true, { busyMs: 100 })
    pace.note('b')
    expect([pace.reserve('a', 50), pace.reserve('a', 50)]).toEqual([0, undefined])
    expect(pace.reserve('a', 150)).toBeGreaterThan(50)
  })
})
