import { openEvaluator } from '../../../services/pathways/evaluation/evaluator.ts'

/** The evaluator of a test file. It starts its thread on first use. */
export const evaluator = openEvaluator()
