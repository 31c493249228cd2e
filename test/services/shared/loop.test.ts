import { pino } from 'pino'
import { createLoop, drain } from '../../../services/shared/loop.ts'

/** A loop whose rounds have these outcomes, one after the other, and end with the last one. */
function startLoop(outcomes: ('done' | 'failed')[], idleMs: number) {
  const lines: { level: number; msg: string }[] = []
  const log = pino({}, { write: line => void lines.push(JSON.parse(line) as { level: number; msg: string }) })
  const stop = new AbortController()
  let rounds = 0
  const loop = createLoop({
    name: 'the work',
    idleMs,
    log,
    async round() {
      const outcome = outcomes[rounds++]
      if (rounds === outcomes.length) stop.abort()
      if (outcome === 'failed') throw new Error('no connection')
    },
  })
  return { loop, stop, lines, done: loop.run(stop.signal) }
}

test('a loop goes on after failures, and logs their first and the recovery', async () => {
  const { lines, done } = startLoop(['failed', 'failed', 'done', 'done', 'failed', 'done', 'done'], 1)
  await done
  expect(lines.map(({ msg }) => msg)).toEqual([
    'the work failed, will be retried',
    'the work recovered',
    'the work failed, will be retried',
    'the work recovered',
  ])
})

test('a wake begins the next round of a loop that pauses, also one that came during the round', async () => {
  const { loop, done } = startLoop(['done', 'done', 'done'], 3_600_000)
  loop.wake()
  await new Promise(resolve => setImmediate(resolve))
  loop.wake()
  await done
})

test('an aborted loop ends its pause', async () => {
  const { stop, done, lines } = startLoop(['failed', 'done'], 3_600_000)
  await new Promise(resolve => setImmediate(resolve))
  stop.abort()
  await done
  expect(lines).toHaveLength(1)
})

test('batches are leased until none is left, and none after the signal', async () => {
  const batches = [[1, 2], [3], []]
  const handled: number[] = []
  const handle = async (item: number) => void handled.push(item)
  await drain(new AbortController().signal, async () => batches.shift() ?? [], handle)
  expect(handled).toEqual([1, 2, 3])
  const stopped = new AbortController()
  await drain(
    stopped.signal,
    async () => [4],
    async item => {
      await handle(item)
      stopped.abort()
    },
  )
  expect(handled).toEqual([1, 2, 3, 4])
})
