/** A finished request to a language model, embedding or transcription provider. */
export interface ProviderCall {
  service: 'model' | 'embedding' | 'speech'
  /** Provider type, such as `anthropic`. The set is small, so it can be a metric label. */
  provider: string
  /** `ok`, `cancelled` (by the caller), or an error code. */
  outcome: string
  seconds: number
}

export type ObserveProviderCall = (call: ProviderCall) => void

/**
 * Calls a provider and reports the outcome. `toCode` returns the code for an error, or `cancelled` if the caller
 * cancelled the request.
 */
export async function observeProviderCall<T>(
  observe: ObserveProviderCall,
  subject: Pick<ProviderCall, 'service' | 'provider'>,
  call: () => Promise<T>,
  toCode: (error: unknown) => string,
): Promise<T> {
  const began = performance.now()
  const report = (outcome: string) => observe({ ...subject, outcome, seconds: (performance.now() - began) / 1_000 })
  try {
    const answer = await call()
    report('ok')
    return answer
  } catch (error) {
    report(toCode(error))
    throw error
  }
}
