import type { Component } from './component.ts'
import { elasticsearch } from './elasticsearch.ts'
import { embeddings } from './embeddings.ts'
import { extractive } from './extractive.ts'
import { postgres } from './postgres.ts'
import { redis } from './redis.ts'
import { speech } from './speech.ts'
import { temporal } from './temporal.ts'

/** Every real component; the order is that of tables and messages. */
export const COMPONENTS: readonly Component[] = [
  postgres,
  redis,
  elasticsearch,
  temporal,
  speech,
  embeddings,
  extractive,
]
