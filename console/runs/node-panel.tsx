import type { JobDetail } from '@ganglion/client'
import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { Panel } from '../parts/boxes.tsx'
import { CopyText } from '../parts/buttons.tsx'
import { RunLink, Status, When } from '../parts/inline.tsx'
import { Empty } from '../parts/read.tsx'
import { Facts, LongJson, Markdown } from '../parts/values.tsx'
import { NodeForks } from './forks.tsx'
import type { RunNode } from './times.ts'

interface NodePanelProps {
  nodeKey: string
  run: JobDetail
  /** What the node has streamed while the page was open. */
  text: string | undefined
  onClose: () => void
}

/** One node: what it was called with, what it gave, its failed attempts, and what it writes at this moment. */
export function NodePanel({ nodeKey, run, text, onClose }: NodePanelProps) {
  const node = run.nodes.find(({ key }) => key === nodeKey)
  return (
    <Panel what="node" title={node?.title ?? nodeKey} onClose={onClose}>
      <Facts>
        {node && <Status status={node.status} />}
        <>
          {node?.node_type} <code>{nodeKey}</code> <CopyText text={nodeKey} label="Copy the key of the node" />
        </>
        {node?.port && `left by “${node.port}”`}
        {node?.child_job_id && <RunLink jobId={node.child_job_id}>its child run</RunLink>}
      </Facts>
      {node && <NodeForks run={run} node={node} />}
      {node ? <NodeTabs key={node.key} node={node} text={text} /> : <Empty title="This node has not begun" />}
    </Panel>
  )
}

const ERRORS = 'Error and attempts'

function NodeTabs({ node, text }: { node: RunNode; text: string | undefined }) {
  const { input, output, error, last_error, failed_attempts = [], status } = node
  const hasErrors = error !== undefined || last_error !== undefined || failed_attempts.length > 0
  const first = status === 'failed' ? ERRORS : text !== undefined ? 'Text' : output !== undefined ? 'Output' : 'Input'
  const tabs: Record<string, ReactNode> = {
    Input: <LongJson value={input} name={`${node.node_id}-input`} />,
    Output: <LongJson value={output} name={`${node.node_id}-output`} />,
    ...(hasErrors && { [ERRORS]: <Errors node={node} /> }),
    ...(text !== undefined && { Text: <Markdown text={text} /> }),
  }
  return (
    <Tabs defaultValue={first} keepMounted={false}>
      <Tabs.List>
        {Object.keys(tabs).map(name => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {Object.entries(tabs).map(([name, content]) => (
        <Tabs.Panel key={name} value={name} pt="sm">
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function Errors({ node: { error, last_error, failed_attempts = [], next_attempt_at } }: { node: RunNode }) {
  const last = error ?? last_error
  return (
    <ul className="plain-list">
      {last && (
        <li className="field-error">
          <strong>{last.code}</strong> {last.message}
        </li>
      )}
      {next_attempt_at && (
        <li>
          next attempt <When time={next_attempt_at} />
        </li>
      )}
      {failed_attempts.map(({ attempt, at, code, message }) => (
        <li key={attempt}>
          Attempt {attempt}, <When time={at} />: <strong>{code}</strong> {message}
        </li>
      ))}
    </ul>
  )
}
