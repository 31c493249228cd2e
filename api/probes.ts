const PROBE_MS = 1_000

/** Resolves if the address responds to HTTP with a status below 500. Throws otherwise. */
export function httpProbe(url: string): () => Promise<void> {
  return async () => {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_MS), redirect: 'manual' })
    await response.body?.cancel()
    if (response.status >= 500) throw new Error(`${url} answers ${response.status}`)
  }
}

/** Resolves if texts can be embedded and the provider of language models, if configured, responds. */
export function modelsProbe(embedder: { ready(): Promise<void> }, providerUrl?: string): () => Promise<void> {
  const provider = providerUrl ? httpProbe(providerUrl) : () => Promise.resolve()
  return async () => {
    await Promise.all([embedder.ready(), provider()])
  }
}
