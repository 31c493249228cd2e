import type { Schema } from '@ganglion/client'
import { Link } from '@tanstack/react-router'

/** What a bulk job has done so far, and the runs to which its operation was not applied. */
export const BulkReport = ({
  report: { matched, done, skipped, failed, problems },
}: {
  report: Schema<'BulkReport'>
}) => (
  <section className="pane run-box" aria-label="Runs of the bulk job">
    <h2>Runs</h2>
    <ul className="facts">
      <li>{matched} in all</li>
      <li>{done} done</li>
      <li>{skipped} skipped</li>
      <li>{failed} failed</li>
    </ul>
    {problems.length > 0 && (
      <ul className="plain-list">
        {problems.map(({ job_id, outcome, message }) => (
          <li key={job_id}>
            <Link to="/runs/$jobId" params={{ jobId: job_id }} className="table-link">
              {job_id}
            </Link>{' '}
            <span className="item-note">
              {outcome}: {message}
            </span>
          </li>
        ))}
      </ul>
    )}
  </section>
)
