export { ingest } from './ingest/workflow.ts'
export { pathway } from './pathway/workflow.ts'
