import type { Principal } from './principal.ts'

/** What a workspace may use. Null means no limit. */
export interface Plan {
  /** Of one credential. */
  requests_per_minute: number
  /** Of one credential. */
  open_streams: number
  /** Runs that a request has started and that work: pending or running. Of the workspace, and of one credential. */
  runs_in_flight: number | null
  runs_in_flight_per_credential: number | null
  /** Bulk jobs of the workspace that have not ended. */
  bulk_jobs: number
  /** USD that a calendar month (UTC) includes. */
  included_usd: number | null
  /** USD that a run which can call a model or transcribe reserves until it ends. */
  run_reserve_usd: number
  /** Days until the trial of a workspace ends, from the day that it gets the plan. Null for a plan without a trial. */
  trial_days: number | null
}

/** The plan of a workspace at present. */
export interface WorkspacePlan extends Plan {
  name: string
  /** ISO 8601. Null for a plan without a trial. */
  trial_ends_at: string | null
}

type CountedPrincipal = Pick<Principal, 'key_id' | 'is_user' | 'workspace_id' | 'actor'>

/**
 * Names the subject whose requests, streams and runs are counted together: an API key or a share token, or the person
 * behind sessions and user tokens.
 */
export const buildCredentialKey = ({ key_id, is_user, workspace_id, actor }: CountedPrincipal): string =>
  is_user ? `${workspace_id}/${actor}` : `key:${key_id}`
