/** A request to a provider of language models, of vectors or of transcripts, after its end. */
export interface ProviderCall {
  service: 'model' | 'embedding' | 'speech'
  /** The type of the provider, such as `anthropic`: one of a short list. */
  provider: string
  /** `ok`, `cancelled` by the caller, or an error code. */
  outcome: string
  seconds: number
}

export type ObserveProviderCall = (call: ProviderCall) => void

/** Calls a provider and reports the outcome. `toCode` returns the code of an error, `cancelled` if the caller gave up. */
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
