import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'

interface WindowListProps<T> {
  items: T[]
  /** The height of each row in pixels. */
  rowHeight: number
  keyOf: (item: T) => string
  children: (item: T) => ReactNode
  label: string
}

/** Rows that are drawn beyond what is seen. */
const MARGIN = 8

/** A list of which only the rows in view are in the document, so that thousands of them are no burden. */
export function WindowList<T>({ items, rowHeight, keyOf, children, label }: WindowListProps<T>) {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    const update = () => setView({ top: element.scrollTop, height: element.clientHeight })
    const observer = new ResizeObserver(update)
    observer.observe(element)
    element.addEventListener('scroll', update, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', update)
    }
  }, [])
  const first = Math.max(0, Math.floor(view.top / rowHeight) - MARGIN)
  const last = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + MARGIN)
  return (
    // A region that scrolls is reached by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={box} className="window" tabIndex={0} role="group" aria-label={label}>
      <ul className="window-rows" style={{ height: items.length * rowHeight }}>
        {items.slice(first, last).map((item, i) => (
          <li key={keyOf(item)} style={{ height: rowHeight, transform: `translateY(${(first + i) * rowHeight}px)` }}>
            {children(item)}
          </li>
        ))}
      </ul>
    </div>
  )
}
