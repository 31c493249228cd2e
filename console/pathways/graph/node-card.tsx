import * as icons from '@tabler/icons-react'
import { Handle, type NodeProps, Position } from '@xyflow/react'
import type { ReactNode } from 'react'
import type { NodeType } from '../../../domain/pathways/definition.ts'
import { Status } from '../../shared/parts/inline.tsx'
import type { GraphNode } from './graph.ts'

type Icon = typeof icons.IconBox

/** Icons by node type, trigger type or target type. */
const NODE_ICONS: Record<string, Icon> = {
  transform: icons.IconTransform,
  switch: icons.IconArrowFork,
  http: icons.IconWorld,
  neuron: icons.IconBrain,
  search: icons.IconSearch,
  tool: icons.IconTool,
  transcribe: icons.IconMicrophone,
  stakeholders: icons.IconUsers,
  map: icons.IconStack2,
  loop: icons.IconRepeat,
  pathway: icons.IconRoute,
  human: icons.IconUserCheck,
  wait: icons.IconClock,
  join: icons.IconArrowMerge,
  end: icons.IconFlag,
  schedule: icons.IconCalendarClock,
  webhook: icons.IconWebhook,
  chat: icons.IconMessage,
  manual: icons.IconHandClick,
  event: icons.IconBolt,
  receptor: icons.IconPlug,
  other: icons.IconBox,
} satisfies Record<NodeType, Icon> & Record<string, Icon>

export interface NodeState {
  /** Set if it differs from the title in the graph. */
  title?: string
  status?: string
  /** The iteration selector of a map or loop. */
  extra?: ReactNode
}

interface CardData extends NodeState, Record<string, unknown> {
  node: GraphNode
  isSelected: boolean
  onSelect: () => void
}

/** A node in the graph: its type, its title, and its state as word, icon and color. */
export function NodeCard({ data }: NodeProps & { data: CardData }) {
  const { node, title = node.title, status, isSelected, onSelect, extra } = data
  const Icon = NODE_ICONS[node.type] ?? NODE_ICONS['other']
  return (
    <div className="card" data-body={node.body ? true : undefined} data-selected={isSelected || undefined}>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <button type="button" className="plain-button card-button nodrag" aria-pressed={isSelected} onClick={onSelect}>
        {Icon && <Icon size={18} stroke={1.7} aria-hidden />}
        <span className="card-text">
          <span className="card-title">{title}</span>
          <span className="card-note">
            {node.type}
            {status && <Status status={status} />}
          </span>
        </span>
      </button>
      {extra}
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </div>
  )
}
