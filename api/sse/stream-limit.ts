import { RateLimited } from '../../domain/shared/errors.ts'
import type { OpenStreams } from '../../domain/shared/open-streams.ts'
import { buildCredentialKey } from '../../domain/access/plans.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { PlansService } from '../../services/access/plans.ts'

/** Seconds to wait before a retry. By then, another stream may have ended. */
const RETRY_SECONDS = 5

/** Admits a stream. Returns a function to call once when the stream ends. Throws RateLimited. */
export type AdmitStream = (principal: Principal) => Promise<() => void>

interface Deps {
  plans: Pick<PlansService, 'find'>
  openStreams: OpenStreams
}

export function createStreamLimit({ plans, openStreams }: Deps): AdmitStream {
  return async principal => {
    const { open_streams } = await plans.find(principal.workspace_id)
    const release = await openStreams.open(buildCredentialKey(principal), open_streams)
    if (!release) throw new RateLimited(`The credential already has ${open_streams} open streams`, RETRY_SECONDS)
    return release
  }
}
