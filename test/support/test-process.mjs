/**
 * Loaded first in each process of test files. jest-light-runner sends its settings to all processes that wait for a test
 * when one of them asks, and never again: a process that is still loading would miss them, then wait for ever. Here they
 * are kept until it asks.
 */
const REQUEST = 'jest-light-runner-get-worker-data'
const ANSWER = 'jest-light-runner-worker-data'

if (process.send && process.env.TINYPOOL_WORKER_ID) {
  const send = process.send.bind(process)
  let answer
  const keep = message => {
    if (message?.type === ANSWER) answer = message
  }
  // Node holds messages back until there is a listener: an earlier one than the pool's would take them from it.
  const follow = event => {
    if (event !== 'message') return
    process.off('newListener', follow)
    process.on('message', keep)
  }
  process.on('newListener', follow)
  process.send = (message, ...rest) => {
    if (message !== REQUEST || !answer) return send(message, ...rest)
    process.nextTick(() => process.emit('message', answer))
    return true
  }
}
