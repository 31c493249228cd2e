import { useEffect, useRef } from 'react'

/** Registers keyboard shortcuts. Shortcuts are ignored while a person types or holds a modifier key. */
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

/**
 * Returns whether a key press belongs to a field or control. Uses the composed path, because the editor is in a
 * shadow root.
 */
function isWriting(event: KeyboardEvent): boolean {
  const [target] = event.composedPath()
  if (!(target instanceof HTMLElement)) return false
  const isField = target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  const isText = target instanceof HTMLInputElement && !['radio', 'checkbox', 'button'].includes(target.type)
  const isActive = event.key === 'Enter' && target.closest('a, button') !== null
  const isInDialog = target.closest('[role=dialog], [role=menu]') !== null
  return isField || isText || isActive || isInDialog || target.isContentEditable
}
