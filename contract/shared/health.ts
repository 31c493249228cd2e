import { z } from 'zod'

/** Components that report a health status. */
export const COMPONENTS = [
  'postgres',
  'migrations',
  'redis',
  'temporal',
  'worker',
  'elasticsearch',
  'search_index',
  'speech',
  'models',
] as const

/** Components without which the API cannot serve requests. */
export const REQUIRED_COMPONENTS = ['postgres', 'migrations', 'redis', 'temporal'] as const

export const liveness = z.object({ status: z.literal('ok') }).meta({ id: 'Liveness' })

export const readiness = z
  .object({
    status: z
      .enum(['ok', 'down', 'stopping'])
      .meta({ description: '`stopping` means that the process is shutting down' }),
    missing: z
      .array(z.enum(REQUIRED_COMPONENTS))
      .meta({ description: 'Required components that are down. If `migrations` is missing, migrate the database.' }),
  })
  .meta({ id: 'Readiness' })

export const health = z
  .object({
    status: z
      .enum(['ok', 'degraded', 'down'])
      .meta({ description: '`down` means that the service cannot accept runs' }),
    version: z.string(),
    components: z.record(z.enum(COMPONENTS), z.enum(['ok', 'down', 'off'])).meta({
      description:
        '`migrations` is down if the database lacks a migration of this version. `search_index` is down if the index was built with a different embedding model from the configured one. Run `ganglion-admin reindex`. Keyword search still works.',
    }),
    stuck_runs: z.int().optional().meta({
      description:
        'Number of open runs in the workspace that make no progress. Present only if the request has an API key and the number is known.',
    }),
    index_failures: z.int().optional().meta({
      description:
        'Number of resources in the workspace that search cannot find because indexing them failed. Indexing is retried. Present only if the request has an API key and the number is known.',
    }),
    workspace: z.object({ id: z.uuid(), slug: z.string() }).optional(),
    brain: z.object({ id: z.uuid() }).optional(),
  })
  .meta({ id: 'Health' })
