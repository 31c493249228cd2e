import type { JobDetail } from '@ganglion/client'
import { Link } from '@tanstack/react-router'

interface PathwayLinkProps {
  run: Pick<JobDetail, 'pathway_id' | 'pathway_title' | 'pathway_version'>
  /** Whether to link to the version that the run uses. */
  isPinned?: boolean
}

/** Links a run to its pathway. An inline definition has no page. */
export function PathwayLink({
  run: { pathway_id, pathway_title, pathway_version },
  isPinned = false,
}: PathwayLinkProps) {
  if (pathway_id === null) return null
  return (
    <Link
      to="/pathways/$pathwayId"
      params={{ pathwayId: pathway_id }}
      search={isPinned && pathway_version !== null ? { version: pathway_version } : {}}
      className="table-link"
    >
      {pathway_title ?? 'Removed workflow'}
      {isPinned && pathway_version !== null && `, version ${pathway_version}`}
    </Link>
  )
}
