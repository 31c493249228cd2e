import type { Evaluator } from './evaluation/evaluator.ts'
import { createNeuronRule } from './neurons/rule.ts'
import { createPathwayRule } from './pathways/rule.ts'
import { receptorRule } from './receptors/rule.ts'
import { reflexRule } from './reflexes/rule.ts'
import { createTriggerRule } from './triggers/rule.ts'

/** The rules by which a save checks what a resource refers to, by kind. */
export const createRules = (evaluator: Evaluator) => ({
  pathways: createPathwayRule(evaluator),
  neurons: createNeuronRule(evaluator),
  receptors: receptorRule,
  reflexes: reflexRule,
  triggers: createTriggerRule(evaluator),
})
