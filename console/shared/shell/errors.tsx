import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { Page } from '../parts/page.tsx'

export const MissingPage = () => (
  <Page title="Page not found">
    <p>
      This page does not exist. Go to the{' '}
      <Link to="/" className="plain-link">
        overview
      </Link>
      .
    </p>
  </Page>
)

/** Shown if a page fails to render. Needs no code or data that isn't loaded yet. */
export const BrokenPage = ({ error }: ErrorComponentProps) => (
  <Page title="This page crashed">
    <p role="alert">{error instanceof Error ? error.message : String(error)}</p>
    <a href={location.href} className="plain-link">
      Reload the page
    </a>
  </Page>
)
