import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { loadAll } from 'js-yaml'

export const execute = promisify(execFile)
export const CHART = join(import.meta.dirname, '../../deploy/helm/ganglion')
export const { HELM = '', KUBECONFORM = '', KUBERNETES_SCHEMAS = '' } = process.env

/** Values files: the example for production, and one for each kind of installation. An empty name is the defaults. */
export const VALUES = ['', 'values-production.yaml', ...readdirSync(join(CHART, 'ci')).map(file => `ci/${file}`)]

export const valuesOptions = (file: string): string[] => (file === '' ? [] : ['-f', join(CHART, file)])

type Labels = Record<string, string>

export interface Container {
  image: string
  args: string[]
  command?: string[]
  env: { name: string; value?: string }[]
  envFrom?: { configMapRef: { name: string } }[]
  ports?: { name: string; containerPort: number }[]
  securityContext: object
  resources: { limits: { memory: string } }
  livenessProbe?: { httpGet: object }
  readinessProbe?: { httpGet: object }
}

export interface PodSpec {
  serviceAccountName?: string
  terminationGracePeriodSeconds?: number
  topologySpreadConstraints?: { labelSelector: { matchLabels: Labels } }[]
  containers: [Container]
  volumes: {
    name: string
    emptyDir?: { sizeLimit: string }
    projected?: { sources: { secret: { name: string; items: { key: string; path: string }[] } }[] }
  }[]
}

export interface Manifest {
  kind: string
  metadata: { name: string; labels: Labels; annotations?: Labels }
  data?: Record<string, string>
  spec: {
    replicas?: number
    selector?: { matchLabels: Labels }
    template?: { metadata: { labels: Labels; annotations?: Labels }; spec: PodSpec }
    [field: string]: unknown
  }
}

/** Renders the chart. Options are those of `helm template`. */
export async function render(...options: string[]): Promise<Manifest[]> {
  const args = ['template', 'test', CHART, '--namespace', 'apps', '--kube-version', '1.37.0', ...options]
  const { stdout } = await execute(HELM, args, { maxBuffer: 2 ** 26 })
  return (loadAll(stdout) as (Manifest | undefined)[]).filter(manifest => manifest !== undefined)
}

export const ofKind = (manifests: Manifest[], kind: string): Manifest[] =>
  manifests.filter(manifest => manifest.kind === kind)

export function named(manifests: Manifest[], kind: string, name: string): Manifest {
  const manifest = ofKind(manifests, kind).find(({ metadata }) => metadata.name === name)
  if (!manifest) throw new Error(`No ${kind} ${name} in ${manifests.map(({ metadata }) => metadata.name).join(', ')}`)
  return manifest
}

/** Lists all pods with their labels. */
export const listPods = (manifests: Manifest[]): { name: string; labels: Labels; pod: PodSpec; manifest: Manifest }[] =>
  manifests.flatMap(manifest => {
    const { name, labels } = manifest.metadata
    if (manifest.kind === 'Pod') return [{ name, labels, pod: manifest.spec as unknown as PodSpec, manifest }]
    const { template } = manifest.spec ?? {}
    return template ? [{ name, labels: template.metadata.labels, pod: template.spec, manifest }] : []
  })

export const isSelected = (labels: Labels, selector: Labels): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value)
