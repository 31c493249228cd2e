/** Returns the response with a body that fails after `maxBytes` bytes. */
export function limitResponse(answer: Response, maxBytes: number): Response {
  let bytesLeft = maxBytes
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      bytesLeft -= part.byteLength
      if (bytesLeft < 0) controller.error(new Error(`The response is longer than ${maxBytes} bytes`))
      else controller.enqueue(part)
    },
  })
  return new Response(answer.body?.pipeThrough(limit), answer)
}
