import { limitResponse } from '../../../domain/agents/models/bounded-answer.ts'

/** A very long answer, including the protocol's overhead for each token. */
const MAX_BYTES = 134_217_728

/**
 * The `fetch` for providers. It limits the length of a response and refuses redirects, because fetch would send headers
 * with keys to the new host.
 */
export const providerFetch: typeof fetch = async (input, init) =>
  limitResponse(await fetch(input, { ...init, redirect: 'error' }), MAX_BYTES)
