import v8 from 'node:v8'

/**
 * Loaded before Temporal's code in a workflow thread. The SDK asks for a hook once, and goes on without traces when there is
 * none. It warns of that by one line that is not JSON.
 */
v8.promiseHooks.createHook = () => {
  const { warn } = console
  console.warn = () => {
    console.warn = warn
  }
  throw new Error('Stack traces of promises are switched off')
}
