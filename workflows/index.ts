export { discover } from './discover/workflow.ts'
export { ingest } from './ingest/workflow.ts'
export { neuron } from './neuron/workflow.ts'
export { pathway } from './pathway/workflow.ts'
