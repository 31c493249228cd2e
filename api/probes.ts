const PROBE_MS = 1_000

/** Resolves if the address responds with an HTTP status below 500. Throws for any other response or none. */
export function httpProbe(url: string): () => Promise<void> {
  return async () => {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_MS), redirect: 'manual' })
    await response.body?.cancel()
    if (response.status >= 500) throw new Error(`${url} returned ${response.status}`)
  }
}

/** Resolves if texts can be embedded and the language model provider, if configured, responds. */
export function modelsProbe(embedder: { ready(): Promise<void> }, providerUrl?: string): () => Promise<void> {
  const provider = providerUrl ? httpProbe(providerUrl) : () => Promise.resolve()
  return async () => {
    await Promise.all([embedder.ready(), provider()])
  }
}
