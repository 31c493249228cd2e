import { openEvaluator } from '../../../services/pathways/evaluation/evaluator.ts'

/** The evaluator of a test file. It has no thread until a test needs one. */
export const evaluator = openEvaluator()
