import { z } from 'zod'

/** The field of a body that names the brain context. */
export const brainId = z
  .uuid()
  .optional()
  .meta({ description: 'Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.' })
