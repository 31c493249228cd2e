import { createSemaphore, type Semaphore } from '../../../domain/shared/fairness/semaphore.ts'

const never = new AbortController().signal

/** Records the order in which operations get their slots. */
function createLog(semaphore: Semaphore) {
  const entered: string[] = []
  const releases = new Map<string, () => void>()
  const enter = (name: string, group?: string, signal = never, stepsBackMs?: number) =>
    semaphore.acquire(signal, group, stepsBackMs).then(release => {
      entered.push(name)
      releases.set(name, release)
    })
  const leave = async (name: string) => {
    releases.get(name)?.()
    await new Promise(resolve => setImmediate(resolve))
  }
  return { entered, enter, leave }
}

describe('a semaphore', () => {
  test('admits as many operations as it has slots, and the others in order', async () => {
    const { entered, enter, leave } = createLog(createSemaphore(2))
    for (const name of ['a', 'b', 'c', 'd']) void enter(name)
    await leave('')
    expect(entered).toEqual(['a', 'b'])
    await leave('b')
    await leave('a')
    expect(entered).toEqual(['a', 'b', 'c', 'd'])
  })

  test('prefers the group that uses the fewest slots', async () => {
    const { entered, enter, leave } = createLog(createSemaphore(2))
    for (const name of ['a1', 'a2', 'a3', 'a4']) void enter(name, 'a')
    void enter('b1', 'b')
    await leave('')
    await leave('a1')
    expect(entered).toEqual(['a1', 'a2', 'b1'])
    await leave('b1')
    expect(entered).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  test('runs short operations of a group before long ones, without blocking the long ones forever', async () => {
    const { entered, enter, leave } = createLog(createSemaphore(1))
    await enter('first')
    void enter('long', 'a', never, 60_000)
    void enter('short', 'a', never, 10)
    void enter('very long', 'a', never, 90_000)
    void enter('long before', 'a', never, -60_000)
    for (const name of ['first', 'long before', 'short', 'long']) await leave(name)
    expect(entered).toEqual(['first', 'long before', 'short', 'long', 'very long'])
  })

  test('leaves slots for other groups', async () => {
    const semaphore = createSemaphore(3, { perGroup: 2 })
    const { entered, enter, leave } = createLog(semaphore)
    for (const name of ['a1', 'a2', 'a3']) void enter(name, 'a')
    await leave('')
    expect([entered, semaphore.countWaiting('a')]).toEqual([['a1', 'a2'], 1])
    void enter('b1', 'b')
    await leave('')
    expect(entered).toEqual(['a1', 'a2', 'b1'])
    await leave('a2')
    expect(entered).toEqual(['a1', 'a2', 'b1', 'a3'])
    for (const name of ['a1', 'a3', 'b1']) await leave(name)
    await enter('again', 'a')
  })

  test('forgets operations that stop waiting', async () => {
    const semaphore = createSemaphore(1)
    const { entered, enter, leave } = createLog(semaphore)
    await enter('a')
    const gone = new AbortController()
    const waiting = enter('b', '', gone.signal)
    void enter('c')
    gone.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    expect(semaphore.countWaiting('')).toBe(1)
    await leave('a')
    expect(entered).toEqual(['a', 'c'])
    expect(() => semaphore.acquire(gone.signal)).toThrow('gone')
  })
})
