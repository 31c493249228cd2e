import { z } from 'zod'

/** The request body's field for the brain to work in. */
export const brainId = z
  .uuid()
  .optional()
  .meta({ description: 'Id of the brain to work in. Same as `X-Brain-Id`. If you send both, they must match.' })
