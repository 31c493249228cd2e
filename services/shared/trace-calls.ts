import { SpanKind } from '@opentelemetry/api'
import type { WorkflowClientInterceptor } from '@temporalio/client'
import type { Headers } from '@temporalio/common'
import { findTraceContext, inSpan, type SpanDetails } from '../../observability/spans.ts'
import { withTraceHeader } from '../../workflows/shared/steps/trace-header.ts'

/** Traces calls to Temporal, with the names that Temporal gives to such spans. Runs that they start carry the trace on. */
export const traceCalls: WorkflowClientInterceptor = {
  startWithDetails: (input, next) =>
    inSpan(describe(`StartWorkflow:${input.workflowType}`, input.options.workflowId), () =>
      next({ ...input, headers: carry(input.headers) }),
    ),
  startUpdate: (input, next) =>
    inSpan(describe(`StartWorkflowUpdate:${input.updateName}`, input.workflowExecution.workflowId), () => next(input)),
  signal: (input, next) =>
    inSpan(describe(`SignalWorkflow:${input.signalName}`, input.workflowExecution.workflowId), () => next(input)),
  describe: (input, next) =>
    inSpan(describe('DescribeWorkflow', input.workflowExecution.workflowId), () => next(input)),
  cancel: (input, next) => inSpan(describe('CancelWorkflow', input.workflowExecution.workflowId), () => next(input)),
  terminate: (input, next) =>
    inSpan(describe('TerminateWorkflow', input.workflowExecution.workflowId), () => next(input)),
}

const describe =
  (name: string, jobId = '') =>
  (): SpanDetails => ({ name, kind: SpanKind.CLIENT, attributes: { 'ganglion.job_id': jobId } })

function carry(headers: Headers): Headers {
  const position = findTraceContext()
  return position ? withTraceHeader(headers, position) : headers
}
