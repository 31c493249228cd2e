import { hostname } from 'node:os'
import { readConfig } from '../config/config.ts'
import { readEnvironment } from '../config/environment.ts'
import { requireWorker } from '../services/shared/task-queue.ts'
import { openTemporal } from '../services/shared/temporal.ts'

/**
 * The health check of a worker's container: ends with code 0 when Temporal has lately been asked for work from this
 * host, else throws.
 */
const temporal = openTemporal(readConfig(readEnvironment()))
await requireWorker(temporal, hostname())
await temporal.close()
