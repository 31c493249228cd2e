import { hkdfSync } from 'node:crypto'
import { createRequestStateCodec, type RequestStateCodec } from '@modelcontextprotocol/server'
import type { Principal } from '../../../domain/access/principal.ts'

/**
 * The state of a call that asks its user. It names the started run. The state is signed but not encrypted, so the
 * client can read it.
 */
export interface CallState {
  tool: string
  job_id: string
}

/** People may need a while to answer. */
const TTL_SECONDS = 86_400

/**
 * Signs call states with a key that all processes share. A state is valid only for the caller it was issued to. It is
 * not single-use: sending the state again continues the same run.
 */
export function createCallStates(secret: string): (principal: Principal) => RequestStateCodec<CallState> {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'state of MCP calls', 32))
  return ({ workspace_id, actor }) =>
    createRequestStateCodec<CallState>({ key, ttlSeconds: TTL_SECONDS, bind: () => `${workspace_id} ${actor}` })
}
