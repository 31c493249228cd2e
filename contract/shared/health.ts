import { z } from 'zod'

/** The components whose state the service reports. */
export const COMPONENTS = [
  'postgres',
  'redis',
  'temporal',
  'worker',
  'elasticsearch',
  'search_index',
  'speech',
  'models',
] as const

export const liveness = z.object({ status: z.literal('ok') }).meta({ id: 'Liveness' })

export const health = z
  .object({
    status: z.enum(['ok', 'degraded', 'down']).meta({ description: '`down` means that runs cannot be accepted' }),
    version: z.string(),
    components: z.record(z.enum(COMPONENTS), z.enum(['ok', 'down', 'off'])).meta({
      description:
        '`search_index` is down while the index is of another embedding model than the configured one: run `ganglion-admin reindex`. Keyword search still works.',
    }),
    stuck_runs: z.int().optional().meta({
      description:
        'Number of open runs of the workspace that make no progress. Present with an API key, when the number is known.',
    }),
    index_failures: z.int().optional().meta({
      description:
        'Number of resources of the workspace that search cannot find, because indexing them fails. Indexing is retried. Present with an API key, when the number is known.',
    }),
    workspace: z.object({ id: z.uuid(), slug: z.string() }).optional(),
    brain: z.object({ id: z.uuid() }).optional(),
  })
  .meta({ id: 'Health' })
