import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { Page } from '../parts/page.tsx'

export const MissingPage = () => (
  <Page title="No such page">
    <p>
      Nothing is at this address. Go to the{' '}
      <Link to="/" className="plain-link">
        overview
      </Link>
      .
    </p>
  </Page>
)

/** Needs nothing that has to be loaded. */
export const BrokenPage = ({ error }: ErrorComponentProps) => (
  <Page title="This page broke">
    <p role="alert">{error instanceof Error ? error.message : String(error)}</p>
    <a href={location.href} className="plain-link">
      Load it again
    </a>
  </Page>
)
