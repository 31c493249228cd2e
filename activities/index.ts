import type { Logger } from 'pino'
import { createHttpActivity } from './http/http.ts'
import { createNeuronActivity, type NeuronDeps } from './neuron/neuron.ts'
import type { Outbound } from './outbound/client.ts'
import { createProgress, type ProgressDeps } from './progress.ts'
import { createRecordActivities, type RecordDeps } from './record.ts'
import type { PathwayActivities, PathwayProjections } from './types.ts'

export interface ActivityDeps extends RecordDeps, ProgressDeps, NeuronDeps {
  outbound: Outbound
  publisher: RecordDeps['publisher']
  log: Logger
}

/** All activities of a worker. A node type's costs its file and its line here. */
export function createActivities(deps: ActivityDeps): PathwayActivities & PathwayProjections {
  const step = createProgress(deps)
  return {
    http: step(createHttpActivity(deps)),
    neuron: step(createNeuronActivity(deps)),
    ...createRecordActivities(deps),
  }
}
