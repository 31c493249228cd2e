import { pino } from 'pino'
import { createLoop, drain } from '../../../services/shared/loop.ts'

/** Starts a loop whose rounds have these outcomes in sequence. The loop stops after the last one. */
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

test('a loop continues after failures, and logs the first failure and the recovery', async () => {
  const { lines, done } = startLoop(['failed', 'failed', 'done', 'done', 'failed', 'done', 'done'], 1)
  await done
  expect(lines.map(({ msg }) => msg)).toEqual([
    'the work failed; retrying',
    'the work recovered',
    'the work failed; retrying',
    'the work recovered',
  ])
})

test('a wake-up starts the next round of a paused loop, even if it arrived during the round', async () => {
  const { loop, done } = startLoop(['done', 'done', 'done'], 3_600_000)
  loop.wake()
  await new Promise(resolve => setImmediate(resolve))
  loop.wake()
  await done
})

test('aborting a loop ends its pause', async () => {
  const { stop, done, lines } = startLoop(['failed', 'done'], 3_600_000)
  await new Promise(resolve => setImmediate(resolve))
  stop.abort()
  await done
  expect(lines).toHaveLength(1)
})

test('batches are leased until none is left, and no batch is leased after the abort signal', async () => {
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
