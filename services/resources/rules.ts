import type { Evaluator } from '../pathways/evaluation/evaluator.ts'
import { createNeuronRule } from '../agents/neurons/rule.ts'
import { createPathwayRule } from '../pathways/rule.ts'
import { bindingRule, receptorRule } from '../agents/receptor-rule.ts'
import { reflexRule } from '../tools/reflexes/rule.ts'
import { createTriggerRule } from '../triggers/rule.ts'

/** The rules that validate a resource's references, by kind. */
export const createRules = (evaluator: Evaluator) => ({
  pathways: createPathwayRule(evaluator),
  neurons: createNeuronRule(evaluator),
  receptors: receptorRule,
  reflexes: reflexRule,
  triggers: createTriggerRule(evaluator),
})

/** The rules for restoring a resource, by kind. References aren't checked, because they may name deleted resources. */
export const RESTORE_RULES = { receptors: bindingRule }
