import type { Component, ComponentName } from './component.ts'
import { elasticsearch } from './elasticsearch.ts'
import { embeddings } from './embeddings.ts'
import { extractive } from './extractive.ts'
import { postgres } from './postgres.ts'
import { redis } from './redis.ts'
import { speech } from './speech.ts'
import { temporalDevServer } from './temporal.ts'
import { temporalServer } from './temporal-server.ts'

/** With `TEMPORAL_ON_POSTGRES=true`, Temporal runs as in production. This needs Go to build the server. */
const temporal = process.env['TEMPORAL_ON_POSTGRES'] === 'true' ? temporalServer : temporalDevServer

/** All components, in the order in which tables and messages list them. */
export const COMPONENTS: readonly Component[] = [
  postgres,
  redis,
  elasticsearch,
  temporal,
  speech,
  embeddings,
  extractive,
]

/** Returns the component with this name. Throws if there is none. */
export function findComponent(name: ComponentName): Component {
  const component = COMPONENTS.find(each => each.name === name)
  if (!component) throw new Error(`There is no component ${name}`)
  return component
}
