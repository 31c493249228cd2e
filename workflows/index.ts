export { pathway } from './pathway/workflow.ts'
