import { AppError } from '../shared/errors.ts'

/** The detail error keywords of RFC 7644, section 3.12. */
export type ScimType = 'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue' | 'mutability' | 'uniqueness'

/** A SCIM request that can't be fulfilled. */
export class ScimProblem extends AppError {
  readonly scimType: ScimType

  constructor(scimType: ScimType, message: string) {
    super(scimType === 'uniqueness' ? 'CONFLICT' : 'VALIDATION_ERROR', message)
    this.scimType = scimType
  }
}
