/**
 * Loaded first in each test file process. jest-light-runner sends its settings once, to all processes that are
 * waiting for a test when one of them asks. A process that is still loading would miss the settings and wait forever.
 * This module keeps the settings until the process asks for them.
 */
const REQUEST = 'jest-light-runner-get-worker-data'
const ANSWER = 'jest-light-runner-worker-data'

if (process.send && process.env.TINYPOOL_WORKER_ID) {
  const send = process.send.bind(process)
  let answer
  const keep = message => {
    if (message?.type === ANSWER) answer = message
  }
  // Node holds messages back until there is a listener. A listener added before the pool's listener would take its
  // messages.
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
