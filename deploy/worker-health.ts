import { hostname } from 'node:os'
import { readConfig } from '../config/config.ts'
import { readEnvironment } from '../config/environment.ts'
import { requireWorker } from '../services/shared/task-queue.ts'
import { openTemporal } from '../services/shared/temporal.ts'

/**
 * Health check of a worker container. Exits with code 0 if a worker on this host has recently polled Temporal,
 * otherwise throws.
 */
const temporal = openTemporal(readConfig(readEnvironment()))
await requireWorker(temporal, hostname())
await temporal.close()
