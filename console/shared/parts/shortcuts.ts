import { useEffect, useRef } from 'react'

/** Runs what a key stands for, unless a person writes or holds a modifier. */
export function useShortcuts(keys: Record<string, () => void>): void {
  const current = useRef(keys)
  useEffect(() => {
    current.current = keys
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event)) return
      const run = current.current[event.key]
      if (!run) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** The editor is in a shadow root, of which `target` says only the host. */
function isWriting(event: KeyboardEvent): boolean {
  const [target] = event.composedPath()
  if (!(target instanceof HTMLElement)) return false
  const isField = target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  const isText = target instanceof HTMLInputElement && !['radio', 'checkbox', 'button'].includes(target.type)
  const isActive = event.key === 'Enter' && target.closest('a, button') !== null
  const isInDialog = target.closest('[role=dialog], [role=menu]') !== null
  return isField || isText || isActive || isInDialog || target.isContentEditable
}
