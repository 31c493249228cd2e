import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApt } from './apt.ts'
import { installOnce } from './cache.ts'
import { goIntoFolder } from './go.ts'
import { findPython, pipIntoFolder } from './python.ts'
import { which } from './shell.ts'

/** The oldest Kubernetes version that the chart accepts, and the newest one that it is checked against. */
export const KUBERNETES_VERSIONS = ['1.30.0', '1.37.0'] as const

const HELM = 'helm.sh/helm/v3/cmd/helm@v3.20.1'
const KUBECONFORM = 'github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0'
const SCHEMAS = '1.37.0'

type Log = (message: string) => void

/** Finds or installs Helm, kubeconform and the Kubernetes schemas. Returns their paths as variables for the tests. */
export async function installChartTools(log: Log): Promise<Record<string, string>> {
  return {
    HELM: await findGoProgram('helm', HELM, log),
    KUBECONFORM: await findGoProgram('kubeconform', KUBECONFORM, log),
    KUBERNETES_SCHEMAS: await installSchemas(log),
  }
}

/** Returns the program in PATH, or builds it once per machine. */
async function findGoProgram(name: string, source: string, log: Log): Promise<string> {
  const program = which(name)
  if (program) return program
  const version = source.slice(source.indexOf('@') + 1)
  const folder = await installOnce(`${name}-${version}`, async target => {
    log(`building ${name} ${version} with Go (minutes, once)`)
    await goIntoFolder(target, [source]).catch((error: unknown) => {
      throw new Error(`${name} is not installed, and could not be built. Install ${name}, or Go 1.26 or later`, {
        cause: error,
      })
    })
  })
  return join(folder, name)
}

/** Installs the schemas from PyPI, in the form that kubeconform reads: without `$id`, and with relative references. */
async function installSchemas(log: Log): Promise<string> {
  return installOnce(`kubernetes-schemas-${SCHEMAS}`, async target => {
    log(`installing the Kubernetes schemas (PyPI kubernetes-validate ${SCHEMAS}, 23 MB, once)`)
    await pipIntoFolder(await findPython(createApt(log)), target, [`kubernetes-validate==${SCHEMAS}`])
    const all = join(target, 'kubernetes_validate/kubernetes-json-schema')
    const folders = KUBERNETES_VERSIONS.map(version => `v${version}-local-strict`)
    for (const name of readdirSync(all)) if (!folders.includes(name)) rmSync(join(all, name), { recursive: true })
    for (const folder of folders)
      for (const file of readdirSync(join(all, folder))) {
        const path = join(all, folder, file)
        const { $id: _, ...schema } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
        writeFileSync(path, JSON.stringify(schema).replaceAll('"/api/_definitions.json#', '"_definitions.json#'))
      }
  }).then(folder => join(folder, 'kubernetes_validate/kubernetes-json-schema'))
}
