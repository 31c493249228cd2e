import type { Component } from './component.ts'
import { elasticsearch } from './elasticsearch.ts'
import { embeddings } from './embeddings.ts'
import { extractive } from './extractive.ts'
import { postgres } from './postgres.ts'
import { redis } from './redis.ts'
import { speech } from './speech.ts'
import { temporal } from './temporal.ts'

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
