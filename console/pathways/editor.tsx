import './editor.css'
import type { EditorView } from '@codemirror/view'
import type { Pathway, PathwayDefinition } from '@ganglion/client'
import { Button, TextInput } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useDraft } from '../people/interventions/draft.ts'
import { bindField } from '../shared/parts/form.tsx'
import { readJson } from '../shared/parts/json.ts'
import { showLater } from '../shared/parts/loading.tsx'
import { Page } from '../shared/parts/page.tsx'
import { Failure, Read } from '../shared/parts/read.tsx'
import { getNodePath } from '../runs/keys.ts'
import { useChange } from '../shared/service/use-service.ts'
import CodeEditor, { goTo, replaceText, underline } from './code-editor.tsx'
import { completePathway } from './complete.ts'
import { DryRun, type DryRunReport, listShownSteps } from './dry-run.tsx'
import { findPathAt, listNodes } from './find-node.ts'
import { Findings, useFindings } from './findings.tsx'
import { Overtaken } from './overtaken.tsx'
import { usePathway } from './queries.ts'

const RunGraph = showLater(() => import('../runs/run-graph.tsx'))
const route = getRouteApi('/pathways/$pathwayId/edit')

/** A person's unsaved text, and the version it is based on. */
interface EditorDraft {
  version: number | undefined
  title: string
  text: string
}

const NO_STEPS: DryRunReport['steps'] = []
const FIRST_DEFINITION = {
  schema: 'pathway/1',
  input: { type: 'object', properties: {} },
  nodes: [{ id: 'done', type: 'end', output: 'Hello' }],
  edges: [],
}

const createEditorDraft = (pathway?: Pathway): EditorDraft => ({
  version: pathway?.version,
  title: pathway?.title ?? '',
  text: JSON.stringify(pathway?.definition ?? FIRST_DEFINITION, null, 2),
})

/** The page for editing a pathway. */
export const EditPathway = () => (
  <Read query={usePathway(route.useParams().pathwayId)}>
    {pathway => <Editor key={pathway.id} pathway={pathway} />}
  </Read>
)

/** Edits or creates a pathway. Shows the text with its findings, and a graph that is linked to the text. */
export function Editor({ pathway }: { pathway?: Pathway }) {
  const navigate = useNavigate()
  const [initialDraft, setInitialDraft] = useState(() => createEditorDraft(pathway))
  const { draft, change: keep, clear } = useDraft(`pathway:${pathway?.id ?? 'new'}`)
  const savedDraft = draft.data as EditorDraft | undefined
  const writing = savedDraft ?? initialDraft
  const [note, setNote] = useState('')
  const [view, setView] = useState<EditorView>()
  const [pointer, setPointer] = useState('')
  const { definition, valid, findings, error, isChecked } = useFindings(writing.text)
  const write = (fields: Partial<EditorDraft>) => keep({ data: { ...writing, ...fields } })
  const begin = (fields: EditorDraft) => {
    setInitialDraft(fields)
    keep({ data: undefined })
    clear()
  }
  const save = useChange('resources', async (ganglion, submission: EditorDraft) => {
    const { version: expected_version, title, text } = submission
    const fields = { title: title.trim(), definition: JSON.parse(text) as PathwayDefinition, note: note || undefined }
    const { slug, version } = pathway
      ? await ganglion.pathways.update(pathway.id, { ...fields, expected_version })
      : await ganglion.pathways.create(fields)
    setNote('')
    begin({ ...submission, version })
    // Text typed during the save becomes the next draft.
    const now = view?.state.doc.toString() ?? text
    if (now !== text) keep({ data: { ...submission, version, text: now } })
    if (!pathway) void navigate({ to: '/pathways/$pathwayId/edit', params: { pathwayId: slug } })
    return version
  })
  const canSave = writing.title.trim() !== '' && !readJson(writing.text).problem
  const replace = (fields: EditorDraft) => {
    save.reset()
    if (view) replaceText(view, fields.text)
    begin(fields)
  }
  useEffect(() => {
    if (view && isChecked) underline(view, findings)
  }, [view, findings, isChecked])

  const [dryRun, setDryRun] = useState<{ of: unknown; report: DryRunReport }>()
  const report = dryRun && dryRun.of === valid ? dryRun.report : undefined
  const shownSteps = useMemo(
    () => (report && valid === definition ? listShownSteps(report) : NO_STEPS),
    [report, valid, definition],
  )
  const [key, setKey] = useState<string>()
  const path = findPathAt(definition, pointer)
  const select = useCallback(
    (key: string) => {
      setKey(key)
      if (view) goTo(view, listNodes(definition).find(({ path }) => path === getNodePath(key))?.pointer ?? '')
    },
    [view, definition],
  )
  const isOvertaken = pathway !== undefined && (writing.version ?? 0) < pathway.version
  return (
    <Page
      title={pathway ? `Edit ${initialDraft.title}` : 'New workflow'}
      isWide
      actions={
        <>
          {savedDraft && (
            <Button variant="default" onClick={() => replace(createEditorDraft(pathway))}>
              Discard
            </Button>
          )}
          <Button loading={save.isPending} disabled={!canSave} onClick={() => save.mutate(writing)}>
            Save
          </Button>
        </>
      }
    >
      <div className="filters">
        <TextInput label="Title" required {...bindField(writing.title, title => write({ title }))} />
        <TextInput label="Version note" {...bindField(note, setNote)} />
      </div>
      {save.data !== undefined && !savedDraft && (
        <p role="status" className="receipt">
          Saved as version {save.data}
        </p>
      )}
      {isOvertaken && (
        <Overtaken
          pathwayId={pathway.slug}
          since={writing.version}
          onKeep={() => {
            save.reset()
            write({ version: pathway.version })
          }}
          onTake={() => replace(createEditorDraft(pathway))}
        />
      )}
      {save.error && !isOvertaken && <Failure error={save.error} />}
      {error && <Failure error={error} />}
      <div className="editor">
        <section className="pane" aria-label="Text">
          <CodeEditor
            label="Definition"
            text={writing.text}
            complete={completePathway}
            onReady={setView}
            onChange={text => write({ text })}
            onMove={setPointer}
            onSave={() => canSave && !save.isPending && save.mutate(writing)}
          />
          <Findings findings={findings} isChecked={isChecked} onChoose={({ pointer }) => view && goTo(view, pointer)} />
        </section>
        <section className="pane run-view" aria-label="Graph">
          <RunGraph
            definition={definition}
            nodes={shownSteps}
            selected={key !== undefined && getNodePath(key) === path ? key : path}
            onSelect={select}
          />
          <details className="dry-run">
            <summary>Dry run</summary>
            {valid && (
              <DryRun
                definition={valid}
                isCurrent={isChecked && valid === definition}
                report={report}
                onReport={report => setDryRun({ of: valid, report })}
              />
            )}
          </details>
        </section>
      </div>
    </Page>
  )
}
