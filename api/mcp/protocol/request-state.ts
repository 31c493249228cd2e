import { hkdfSync } from 'node:crypto'
import { createRequestStateCodec, type RequestStateCodec } from '@modelcontextprotocol/server'
import type { Principal } from '../../../domain/access/principal.ts'

/** What a call that asks its user goes on with: the run that it has started. It is signed, and the client can read it. */
export interface CallState {
  tool: string
  job_id: string
}

/** People may take their time. */
const TTL_SECONDS = 86_400

/**
 * Signs states with a key that all processes have, for one caller: the state of another one is refused. It is not used
 * up: a repeat goes on with the same run.
 */
export function createCallStates(secret: string): (principal: Principal) => RequestStateCodec<CallState> {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'state of MCP calls', 32))
  return ({ workspace_id, actor }) =>
    createRequestStateCodec<CallState>({ key, ttlSeconds: TTL_SECONDS, bind: () => `${workspace_id} ${actor}` })
}
