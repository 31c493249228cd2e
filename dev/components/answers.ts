const CHECK_MS = 2000

/** Throws unless an OpenAI-compatible URL answers. Hosted services refuse this without a key, small ones don't know the path. */
export async function checkAnswers(url: string | undefined): Promise<void> {
  const response = await fetch(`${(url ?? '').replace(/\/$/, '')}/models`, { signal: AbortSignal.timeout(CHECK_MS) })
  await response.body?.cancel()
  if (response.status >= 500) throw new Error(`${url} answers ${response.status}`)
}
