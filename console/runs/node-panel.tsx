import type { JobDetail } from '@ganglion/client'
import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { Panel } from '../shared/parts/boxes.tsx'
import { CopyText } from '../shared/parts/buttons.tsx'
import { formatAbsolute, formatDuration, RunLink, Status, When } from '../shared/parts/inline.tsx'
import { Empty } from '../shared/parts/read.tsx'
import { Facts, LongJson, Markdown } from '../shared/parts/values.tsx'
import { NodeForks } from './forks/forks.tsx'
import type { RunNode } from './times.ts'

interface NodePanelProps {
  nodeKey: string
  run: JobDetail
  /** Text that the node has streamed while the page was open. */
  text: string | undefined
  onClose: () => void
}

/** Node details: input, output, failed attempts, and streamed text. */
export function NodePanel({ nodeKey, run, text, onClose }: NodePanelProps) {
  const node = run.nodes.find(({ key }) => key === nodeKey)
  return (
    <Panel subject="node" title={node?.title ?? nodeKey} onClose={onClose}>
      <Facts>
        {node && <Status status={node.status} />}
        <>
          {node?.node_type} <code>{nodeKey}</code> <CopyText text={nodeKey} label="Copy node key" />
        </>
        {node?.port && `exit port “${node.port}”`}
        {node?.child_job_id && <RunLink jobId={node.child_job_id}>child run</RunLink>}
      </Facts>
      {node && <NodeForks run={run} node={node} />}
      {node ? <NodeTabs key={node.key} node={node} text={text} /> : <Empty title="This node has not started" />}
    </Panel>
  )
}

const ERRORS = 'Error and attempts'

function NodeTabs({ node, text }: { node: RunNode; text: string | undefined }) {
  const { input, output, error, last_error, failed_attempts = [], status } = node
  const hasErrors = error !== undefined || last_error !== undefined || failed_attempts.length > 0
  const first = status === 'failed' ? ERRORS : text !== undefined ? 'Text' : output !== undefined ? 'Output' : 'Input'
  const tabs: Record<string, ReactNode> = {
    Input:
      input === undefined && node.node_type === 'model' ? (
        <p className="item-note">Prompts of model steps are not recorded. See the agent's thread for the messages.</p>
      ) : (
        <LongJson value={input} name={`${node.node_id}-input`} />
      ),
    Output: <LongJson value={output} name={`${node.node_id}-output`} />,
    ...(hasErrors && { [ERRORS]: <Errors node={node} /> }),
    ...(text !== undefined && { Text: <Markdown text={text} /> }),
  }
  return (
    <Tabs defaultValue={buildTabId(first)} keepMounted={false}>
      <Tabs.List>
        {Object.keys(tabs).map(name => (
          <Tabs.Tab key={name} value={buildTabId(name)}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {Object.entries(tabs).map(([name, content]) => (
        <Tabs.Panel key={name} value={buildTabId(name)} pt="sm">
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/** Ids can't contain spaces. */
const buildTabId = (name: string): string => name.replaceAll(' ', '-')

function Errors({ node }: { node: RunNode }) {
  const { error, last_error, finished_at, attempt = 1, failed_attempts = [], next_attempt_at } = node
  const last = error ?? last_error
  const isListed = failed_attempts.some(failure => failure.attempt === attempt)
  const at = finished_at ?? node.at
  const attempts = last && !isListed ? [...failed_attempts, { ...last, attempt, at }] : failed_attempts
  return (
    <ul className="plain-list">
      {next_attempt_at && (
        <li>
          next attempt <When time={next_attempt_at} />
        </li>
      )}
      {attempts.map(({ attempt, at, code, message }, i) => {
        const before = attempts[i - 1]
        return (
          <li key={attempt} className={i === attempts.length - 1 ? 'field-error' : undefined}>
            Attempt {attempt}, <time dateTime={at}>{formatAbsolute(at)}</time>
            {before && `, ${formatDuration(Date.parse(at) - Date.parse(before.at))} after the previous attempt`}:{' '}
            <strong>{code}</strong> {message}
          </li>
        )
      })}
    </ul>
  )
}
