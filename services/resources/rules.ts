import type { Evaluator } from '../pathways/evaluation/evaluator.ts'
import { createNeuronRule } from '../agents/neurons/rule.ts'
import { createPathwayRule } from '../pathways/rule.ts'
import { receptorRule } from '../agents/receptor-rule.ts'
import { reflexRule } from '../tools/reflexes/rule.ts'
import { createTriggerRule } from '../triggers/rule.ts'

/** The rules by which a save checks what a resource refers to, by kind. */
export const createRules = (evaluator: Evaluator) => ({
  pathways: createPathwayRule(evaluator),
  neurons: createNeuronRule(evaluator),
  receptors: receptorRule,
  reflexes: reflexRule,
  triggers: createTriggerRule(evaluator),
})
