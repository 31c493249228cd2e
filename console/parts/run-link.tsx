import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** Leads to the page of a run. */
export const RunLink = ({ jobId, children }: { jobId: string; children: ReactNode }) => (
  <Link to="/runs/$jobId" params={{ jobId }} className="table-link">
    {children}
  </Link>
)
