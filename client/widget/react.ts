/** The parts of React that the chat uses, from Preact, which is smaller. */
import { useEffect, useState } from 'preact/hooks'

export { Fragment } from 'preact'
export { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'

/** Returns the snapshot of a store, and renders again after each change. */
export function useSyncExternalStore<T>(subscribe: (listener: () => void) => () => void, getSnapshot: () => T): T {
  const [, setState] = useState(getSnapshot)
  useEffect(() => {
    const update = () => setState(() => getSnapshot())
    update()
    return subscribe(update)
  }, [])
  return getSnapshot()
}
