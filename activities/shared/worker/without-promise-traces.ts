import v8 from 'node:v8'

/**
 * Loaded before Temporal's code in a workflow thread. The SDK creates a hook once, and continues without traces if
 * the creation fails. It then logs a warning as one non-JSON line.
 */
v8.promiseHooks.createHook = () => {
  const { warn } = console
  console.warn = () => {
    console.warn = warn
  }
  throw new Error('Promise stack traces are disabled')
}
