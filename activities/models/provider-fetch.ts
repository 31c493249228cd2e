import { boundedAnswer } from '../../domain/models/bounded-answer.ts'

/** A very long answer, with what the protocols put around each of its tokens. */
const MAX_BYTES = 134_217_728

/**
 * How providers are reached: an answer without end is broken off, and nothing follows a redirect, since fetch would take
 * along the headers in which some of them want their key.
 */
export const providerFetch: typeof fetch = async (input, init) =>
  boundedAnswer(await fetch(input, { ...init, redirect: 'error' }), MAX_BYTES)
