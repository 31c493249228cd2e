import { NotFoundError } from '@ganglion/client'

/** Creates a resource if it doesn't exist. Changes that a person has made to an existing resource are kept. */
export async function ensure(read: () => PromiseLike<unknown>, create: () => PromiseLike<unknown>): Promise<void> {
  try {
    await read()
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    await create()
  }
}
