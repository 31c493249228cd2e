import { type ReactNode, useEffect } from 'react'

/** A page with its heading, its actions, and its browser tab title. */
export function Page({
  title,
  tab = title,
  actions,
  isWide = false,
  children,
}: {
  title: string
  tab?: string
  actions?: ReactNode
  /** Uses the full width, for pages with several panes. */
  isWide?: boolean
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${tab} · Ganglion`
  }, [tab])
  return (
    <div className={isWide ? 'page page-wide' : 'page'}>
      <header className="page-head">
        <h1 className="page-title">{title}</h1>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
