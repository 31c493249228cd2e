/** A very long answer, with what the protocols put around each of its tokens. */
const MOST_BYTES = 134_217_728

/**
 * How providers are reached: an answer without end is broken off, and nothing follows a redirect, since fetch would take
 * along the headers in which some of them want their key.
 */
export const providerFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'error' })
  let left = MOST_BYTES
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      left -= part.byteLength
      if (left < 0) controller.error(new Error(`The answer is longer than ${MOST_BYTES} bytes`))
      else controller.enqueue(part)
    },
  })
  return new Response(response.body?.pipeThrough(limit), response)
}
