import { CostCap } from '../../domain/shared/errors.ts'
import { StepError } from '../../domain/runs/step-error.ts'
import type { PlansService } from '../../services/access/plans.ts'

/** Called before each call that costs money. Throws StepError with `cost_cap` if the included spend is used up. */
export type SpendCheck = (workspaceId: string) => Promise<void>

export const createSpendCheck =
  (plans: Pick<PlansService, 'checkSpend'>): SpendCheck =>
  async workspaceId => {
    try {
      await plans.checkSpend(workspaceId)
    } catch (error) {
      if (error instanceof CostCap) throw new StepError(error.code, error.message)
      throw error
    }
  }
