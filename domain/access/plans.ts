import type { Principal } from './principal.ts'

/** Limits of a workspace. Null means no limit. */
export interface Plan {
  /** Maximum requests per minute, per credential. */
  requests_per_minute: number
  /** Maximum open streams, per credential. */
  open_streams: number
  /** Maximum number of pending or running runs that requests have started, per workspace and per credential. */
  runs_in_flight: number | null
  runs_in_flight_per_credential: number | null
  /** Maximum unfinished bulk jobs, per workspace. */
  bulk_jobs: number
  /** USD included per calendar month (UTC). */
  included_usd: number | null
  /** USD that a run reserves until it ends. Applies to runs that can call a model or transcribe audio. */
  run_reserve_usd: number
  /** Length of the trial in days, from the day the workspace gets the plan. Null for a plan without a trial. */
  trial_days: number | null
}

/** The current plan of a workspace. */
export interface WorkspacePlan extends Plan {
  name: string
  /** End of the trial (ISO 8601). Null for a plan without a trial. */
  trial_ends_at: string | null
}

type CountedPrincipal = Pick<Principal, 'key_id' | 'is_user' | 'workspace_id' | 'actor'>

/**
 * Returns the key under which requests, streams and runs are counted together: an API key, a share token, or the
 * person behind sessions and user tokens.
 */
export const buildCredentialKey = ({ key_id, is_user, workspace_id, actor }: CountedPrincipal): string =>
  is_user ? `${workspace_id}/${actor}` : `key:${key_id}`
