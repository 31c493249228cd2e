import {
  ContinueAsNew,
  proxySinks,
  type Sinks,
  type WorkflowExecuteInput,
  workflowInfo,
  type WorkflowInboundCallsInterceptor,
  type WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow'
import type { RunSpan, TraceContext } from '../../domain/shared/trace-context.ts'
import { readTraceHeader, withTraceHeader } from './steps/trace-header.ts'

/** Sinks of the worker for run traces. */
export interface TracingSinks extends Sinks {
  tracing: { exportRun(span: RunSpan): void }
}

type Headers = WorkflowExecuteInput['headers']

/**
 * Traces a run that was started as part of a trace. Its activities and child runs continue the trace, and the run's
 * span is exported at its end. Everything follows from the history, and no call takes more microtasks than without
 * tracing, so the run issues the same commands either way.
 */
export function createRunTracing(): {
  inbound: WorkflowInboundCallsInterceptor
  outbound: WorkflowOutboundCallsInterceptor
} {
  let runTrace: TraceContext | undefined
  const carry = <Input extends { headers: Headers }>(input: Input): Input =>
    runTrace ? { ...input, headers: withTraceHeader(input.headers, runTrace) } : input

  return {
    inbound: {
      execute(input, next) {
        const parent = readTraceHeader(input.headers)
        if (!parent) return next(input)
        runTrace = { ...parent, spanId: deriveSpanId(workflowInfo().runId) }
        const run = next(input)
        if (parent.isSampled) exportAtEnd(run, runTrace, parent)
        return run
      },
    },
    outbound: {
      scheduleActivity: (input, next) => next(carry(input)),
      scheduleLocalActivity: (input, next) => next(carry(input)),
      startChildWorkflowExecution: (input, next) => next(carry(input)),
      continueAsNew: (input, next) => next(carry(input)),
    },
  }
}

/** Adds a listener to the run's end without changing anything else. */
function exportAtEnd(run: Promise<unknown>, { traceId, spanId }: TraceContext, parent: TraceContext): void {
  const { tracing } = proxySinks<TracingSinks>()
  const { workflowType, workflowId: jobId, runStartTime } = workflowInfo()
  const exportRun = (hasFailed: boolean) => {
    const times = { startMs: runStartTime.getTime(), endMs: Date.now() }
    const position = { traceId, spanId, parentSpanId: parent.spanId }
    tracing.exportRun({ name: `RunWorkflow:${workflowType}`, ...position, ...times, hasFailed, jobId })
  }
  run.then(
    () => exportRun(false),
    (error: unknown) => exportRun(!(error instanceof ContinueAsNew)),
  )
}

/** Returns the last digits of the run's random Temporal id, so that every replay derives the same span id. */
const deriveSpanId = (runId: string): string => runId.replaceAll('-', '').slice(-16)
