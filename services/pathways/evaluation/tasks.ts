import { evaluateExpression } from '../../../domain/pathways/expressions/evaluate.ts'
import type { JsonObject, JsonSchema, JsonValue, Problem } from '../../../domain/shared/json/json.ts'
import { exceedsJsonSize } from '../../../domain/shared/json/json-size.ts'
import { findUnknownArguments } from '../../../domain/agents/approval-arguments.ts'
import { type ApprovalRound, type ApprovalRule, planApproval } from '../../../domain/agents/approval.ts'
import type { PathwayDefinition } from '../../../domain/pathways/definition.ts'
import { dryRun, type DryRunReport, type DryRunRequest } from '../../../domain/pathways/dry-run.ts'
import { planFork } from '../../../domain/pathways/fork/plan-fork.ts'
import type { ForkPlan, ForkRequest } from '../../../domain/pathways/fork/types.ts'
import { prepareRun, type RunStart, type StartFields } from '../../../domain/pathways/run-start.ts'
import { validateDefinition } from '../../../domain/pathways/validate.ts'
import { type CheckResult, checkEditable } from '../../../domain/resources/checking.ts'
import { applyEdits, type EditedText, type TextEdit } from '../../../domain/resources/text-edits.ts'
import { getResourceKind, type ResourceKind } from '../../../domain/resources/kinds/index.ts'
import type { ReferencedFile } from '../../../domain/shared/schemas/file-keywords.ts'
import { findSchemaProblems } from '../../../domain/shared/schemas/json-schema.ts'
import { drawMap, type PicturedMaps, type PictureFormat } from '../../../domain/stakeholders/picture.ts'
import { evaluateDedupe, findInputProblems, type MappedEvent, mapEvent } from '../../../domain/triggers/mapping.ts'
import { findArgumentProblems } from '../../../domain/tools/fixed-arguments.ts'
import { throwIfInline, type WorkLimits } from '../../../domain/shared/fairness/work-limits.ts'
import type { TextType } from '../../documents/known-types.ts'
import type { ExtractedDocument } from '../../documents/reading/extracted.ts'
import { readSmallText } from '../../documents/reading/read-small-text.ts'

/**
 * All user-written code that a service or activity evaluates. Arguments and results are JSON or bytes, because they
 * are passed to and from a thread. Each task throws TooMuchInline if it would exceed the event loop limits.
 */
export const tasks = {
  checkEditable(limits: WorkLimits, head: unknown, kind: ResourceKind): CheckResult {
    if (exceedsJsonSize(head, limits.chars)) throwIfInline(limits)
    return checkEditable(head, getResourceKind(kind))
  },

  /** Pointers start with `at`. */
  findDefinitionProblems(limits: WorkLimits, definition: unknown, at: string): Problem[] {
    if (exceedsJsonSize(definition, limits.chars)) throwIfInline(limits)
    const checked = validateDefinition(definition, { at })
    return checked.ok ? [] : checked.problems
  },

  /** Pointers start with `at`. */
  findWarnings(limits: WorkLimits, definition: PathwayDefinition, at: string): Problem[] {
    if (exceedsJsonSize(definition, limits.chars)) throwIfInline(limits)
    const checked = validateDefinition(definition, { at })
    return checked.ok ? checked.warnings : []
  },

  /** Pointers start with `at`. */
  findSchemaProblems: (
    limits: WorkLimits,
    schema: JsonSchema,
    value: JsonValue,
    at = '',
    files?: ReferencedFile[],
  ): Problem[] => findSchemaProblems(schema, value, at, limits, files),

  /** Pointers start with `at`. */
  findArgumentProblems: (limits: WorkLimits, parameters: JsonSchema, args: JsonValue, at: string): Problem[] =>
    findArgumentProblems(parameters, args, at, limits),

  /** Pointers start with `at`. */
  prepareRun: (
    limits: WorkLimits,
    definition: StartFields,
    input: JsonValue,
    run: { id: string; requester: string },
    at: string,
  ): RunStart => prepareRun(definition, input, run, at, limits),

  applyEdits(limits: WorkLimits, text: string, edits: TextEdit[]): EditedText {
    if (text.length * edits.length > limits.patternSteps) throwIfInline(limits)
    return applyEdits(text, edits)
  },

  /** Throws ExpressionError. */
  evaluateExpression: (limits: WorkLimits, source: string, variables: JsonObject): JsonValue =>
    evaluateExpression(source, variables, limits),

  planApproval: (limits: WorkLimits, rules: ApprovalRule[], args: JsonObject): ApprovalRound[] | null =>
    planApproval(rules, args, limits),

  /** Pointers are relative to the rule. */
  findUnknownArguments(limits: WorkLimits, rule: ApprovalRule, tools: JsonSchema[]): Problem[] {
    if (exceedsJsonSize(tools, limits.chars)) throwIfInline(limits)
    return findUnknownArguments(rule, tools)
  },

  /** Evaluates a trigger's filter and mapping. */
  evaluateDedupe: (limits: WorkLimits, expression: string, body: JsonValue) => evaluateDedupe(expression, body, limits),
  mapEvent: (limits: WorkLimits, trigger: { filter?: string; input: JsonValue }, event: JsonObject): MappedEvent =>
    mapEvent(trigger, event, limits),

  /** Lists mismatches between a trigger's mapping and the target's schema. Pointers start with `at`. */
  findInputProblems: (limits: WorkLimits, schema: JsonSchema, input: JsonValue, at: string): Problem[] =>
    findInputProblems(schema, input, at, limits),

  /** Reads a document of at most 1 MB. Returns null on failure. */
  readSmallText(limits: WorkLimits, bytes: Uint8Array, type: TextType, charset?: string): ExtractedDocument | null {
    if (bytes.byteLength > limits.textBytes) throwIfInline(limits)
    return readSmallText(bytes, type, charset)
  },

  /** Draws a stakeholder map. Computing the layout takes a long time. */
  drawMap(limits: WorkLimits, maps: PicturedMaps, format: PictureFormat): string {
    throwIfInline(limits)
    return drawMap(maps, format)
  },

  /** Plans a fork of a run. Throws ExpressionError. */
  planFork: (limits: WorkLimits, definition: PathwayDefinition, request: ForkRequest): ForkPlan =>
    planFork(definition, request, limits),

  dryRun(limits: WorkLimits, definition: PathwayDefinition, request: DryRunRequest): DryRunReport {
    throwIfInline(limits)
    return dryRun(definition, request)
  },
}

type Tasks = typeof tasks
export type TaskName = keyof Tasks
type WithoutLimits<P> = P extends [WorkLimits, ...infer Rest] ? Rest : never
export type TaskArgs<N extends TaskName> = WithoutLimits<Parameters<Tasks[N]>>
export type TaskResult<N extends TaskName> = ReturnType<Tasks[N]>
