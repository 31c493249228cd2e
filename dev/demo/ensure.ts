import { NotFoundError } from '@ganglion/client'

/** Creates what is not there. What a person has changed since the first time stays. */
export async function ensure(read: () => PromiseLike<unknown>, create: () => PromiseLike<unknown>): Promise<void> {
  try {
    await read()
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    await create()
  }
}
