const CHECK_MS = 2000

/**
 * Throws unless an OpenAI-compatible URL responds. Hosted services reject the request because it has no key, and
 * small servers may not have the path. Both count as a response.
 */
export async function checkAnswers(url: string | undefined): Promise<void> {
  const response = await fetch(`${(url ?? '').replace(/\/$/, '')}/models`, { signal: AbortSignal.timeout(CHECK_MS) })
  await response.body?.cancel()
  if (response.status >= 500) throw new Error(`${url} returned ${response.status}`)
}
