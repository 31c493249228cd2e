import type { Schema } from '@ganglion/client'
import { Tree, type TreeNodeData, useTree } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconFile, IconFolder } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure, Read } from '../shared/parts/read.tsx'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useRead } from '../shared/service/use-service.ts'
import { MoveDialog, useMove } from './move.tsx'
import { FOLDER, readPlace, ROOT } from './place.ts'

interface DocumentTreeProps {
  selectedKey: string | undefined
  onChoose: (place: string) => void
}

/** Folders and documents as a tree. Enter selects, m moves, and items can be dragged into a folder. */
export function DocumentTree({ selectedKey, onChoose }: DocumentTreeProps) {
  const { can } = useSignedIn()
  const [isOpen, setOpen] = useState<Record<string, boolean>>({ [ROOT]: true })
  const set = (folder: string, isOn: boolean) => setOpen(before => ({ ...before, [folder]: isOn }))
  const keys = Object.keys(isOpen).filter(key => isOpen[key] && key.startsWith(FOLDER))
  const folders = useFolders([...new Set([ROOT, ...keys])].toSorted())
  const choose = (place: string | undefined) => {
    if (place !== undefined && !place.startsWith(MORE)) onChoose(place)
  }
  const tree = useTree({
    // The tree resets its open folders when its data changes; keeping the state here avoids that.
    expandedState: isOpen,
    onNodeExpand: folder => set(folder, true),
    onNodeCollapse: folder => set(folder, false),
    selectedState: selectedKey === undefined ? [] : [selectedKey],
    onSelectedStateChange: ([place]) => choose(place),
  })
  const [movedKey, setMovedKey] = useState<string>()
  const move = useMove()
  const mayMove = can('resources:write')
  return (
    <>
      <Read query={folders}>
        {nodes => (
          <Tree
            className="document-tree"
            aria-label="Folders"
            data={nodes}
            tree={tree}
            selectOnClick
            levelOffset="md"
            onKeyDown={({ key, target }) => {
              const place = (target as HTMLElement).dataset['value']
              if (key === 'Enter') choose(place)
              if (key === 'm' && place !== undefined && place !== ROOT && mayMove) setMovedKey(place)
            }}
            renderNode={({ node, expanded, hasChildren, elementProps }) => (
              <div {...elementProps} className={`${elementProps.className} ${hasChildren ? '' : 'document-tree-leaf'}`}>
                {hasChildren &&
                  (expanded ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />)}
                {hasChildren ? (
                  <IconFolder size={17} stroke={1.6} aria-hidden />
                ) : (
                  <IconFile size={17} stroke={1.6} aria-hidden />
                )}
                <span className="document-tree-label">{node.label}</span>
              </div>
            )}
            {...(mayMove && {
              onDragDrop: ({ draggedNode, targetNode }) =>
                move.mutate({ place: draggedNode, path: readPlace(targetNode)?.ref ?? '/' }),
              allowDrop: ({ draggedNode, targetNode }) => draggedNode !== ROOT && targetNode.startsWith(`${FOLDER}:`),
            })}
          />
        )}
      </Read>
      {mayMove && <p className="item-note document-tree-note">To move an item, drag it into a folder or press m.</p>}
      {move.error && <Failure error={move.error} />}
      {movedKey !== undefined && <MoveDialog place={movedKey} onClose={() => setMovedKey(undefined)} />}
    </>
  )
}

const CHILDREN = 200
/** Maximum number of folders per request, because the service limits the total number of listed items. */
const FOLDERS = 25

/** Loads the contents of folders as a tree, by folder key. */
const useFolders = (keys: string[]) =>
  useRead(
    ['resources', 'tree', keys],
    async ({ browse }) => {
      const replies = await Promise.all(
        Array.from({ length: Math.ceil(keys.length / FOLDERS) }, (_, batch) =>
          browse.tree({
            parent_keys: keys.slice(batch * FOLDERS, (batch + 1) * FOLDERS),
            tree_profile: 'document',
            limit: CHILDREN,
          }),
        ),
      )
      const childrenByKey: Children = Object.assign(
        {},
        ...replies.map(reply => ('parents' in reply ? reply.parents : {})),
      )
      return listNodes(childrenByKey)
    },
    { placeholderData: keepPreviousData },
  )

type Children = Record<string, Schema<'TreeNodePage'>>

const MORE = 'more'

const listNodes = (childrenByKey: Children): TreeNodeData[] => [
  { value: ROOT, label: 'All documents', hasChildren: true, children: listChildren(childrenByKey, ROOT) },
]

/** Lists the documents and folders in a folder, including loaded contents of open folders. */
function listChildren(childrenByKey: Children, key: string): TreeNodeData[] {
  const { nodes, cursor } = childrenByKey[key] ?? { nodes: [] }
  const children = nodes.map(node => buildTreeNode(childrenByKey, node))
  if (cursor !== undefined) children.push({ value: `${MORE}:${key}`, label: 'More items: use search to find them' })
  return children
}

function buildTreeNode(childrenByKey: Children, { key, title, resource }: Schema<'TreeNode'>): TreeNodeData {
  if (resource) return { value: `${resource.type}:${resource.id}`, label: title }
  return { value: key, label: title, hasChildren: true, children: listChildren(childrenByKey, key) }
}
