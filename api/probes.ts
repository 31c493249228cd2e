const PROBE_MS = 1_000

/** Holds when something at the address speaks HTTP and does not say that it is broken; any answer below 500 will do. */
export function httpProbe(url: string): () => Promise<void> {
  return async () => {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_MS), redirect: 'manual' })
    await response.body?.cancel()
    if (response.status >= 500) throw new Error(`${url} answers ${response.status}`)
  }
}

/** Holds when texts can be embedded, and where the provider of language models answers, if there is one. */
export function modelsProbe(embedder: { ready(): Promise<void> }, providerUrl?: string): () => Promise<void> {
  const provider = providerUrl ? httpProbe(providerUrl) : () => Promise.resolve()
  return async () => {
    await Promise.all([embedder.ready(), provider()])
  }
}
