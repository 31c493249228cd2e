import { BlockList, isIPv6 } from 'node:net'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHART, isSelected, listPods, type Manifest, named, ofKind, render, valuesOptions } from './chart.ts'

interface Rule {
  to: { ipBlock?: { cidr: string; except?: string[] } }[]
  ports: { port: number | string }[]
}

interface Policy {
  podSelector: { matchLabels: Record<string, string>; matchExpressions?: { key: string; values: string[] }[] }
  policyTypes: string[]
  egress?: Rule[]
  ingress?: { from?: object[]; ports: { port: number | string }[] }[]
}

function contains(cidr: string, address: string): boolean {
  const [network = '', prefix] = cidr.split('/')
  const family = isIPv6(network) ? 'ipv6' : 'ipv4'
  if (isIPv6(address) !== (family === 'ipv6')) return false
  const list = new BlockList()
  list.addSubnet(network, Number(prefix), family)
  return list.check(address, family)
}

const matches = ({ matchLabels, matchExpressions = [] }: Policy['podSelector'], labels: Record<string, string>) =>
  isSelected(labels, matchLabels) && matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))

/** Whether the policies let a pod with these labels open a connection to an address outside the cluster. */
function canReach(manifests: Manifest[], labels: Record<string, string>, address: string, port = 443): boolean {
  const policies = ofKind(manifests, 'NetworkPolicy')
    .map(({ spec }) => spec as unknown as Policy)
    .filter(({ podSelector, policyTypes }) => policyTypes.includes('Egress') && matches(podSelector, labels))
  expect(policies).not.toEqual([])
  return policies
    .flatMap(({ egress = [] }) => egress)
    .some(
      ({ to, ports }) =>
        ports.some(allowed => allowed.port === port) &&
        to.some(
          ({ ipBlock }) =>
            ipBlock &&
            contains(ipBlock.cidr, address) &&
            !ipBlock.except?.some(exception => contains(exception, address)),
        ),
    )
}

/** The metadata services of AWS, GCP, Azure, Oracle and Alibaba, loopback, and private networks. */
const FORBIDDEN =
  '169.254.169.254 169.254.170.2 fd00:ec2::254 fd20:ce::254 168.63.129.16 192.0.0.192 100.100.100.200 127.0.0.1 10.96.0.1 172.20.0.1 192.168.1.1 100.64.0.1 ::1 fe80::1 fc00::1 64:ff9b::a9fe:a9fe'

test('no pod reaches metadata services or private networks, and only the API and workers reach public addresses', async () => {
  const manifests = await render(
    ...valuesOptions('values-production.yaml'),
    '--set',
    'networkPolicy.publicExcept={203.0.113.0/24,2001:db8::/32}',
  )
  for (const { labels } of listPods(manifests)) {
    const isApp = /^(api|worker)$/.test(labels['app.kubernetes.io/component'] ?? '')
    for (const address of FORBIDDEN.split(' '))
      expect({ address, reached: canReach(manifests, labels, address) }).toEqual({ address, reached: false })
    for (const address of ['203.0.113.7', '2001:db8::1']) expect(canReach(manifests, labels, address)).toBe(false)
    for (const address of ['1.1.1.1', '2606:4700::1111']) {
      expect(canReach(manifests, labels, address)).toBe(isApp)
      expect(canReach(manifests, labels, address, 22)).toBe(false)
    }
  }
})

test('only the API accepts connections, besides metrics', async () => {
  const manifests = await render(...valuesOptions('values-production.yaml'))
  const ports = (component: string) =>
    listPods(manifests)
      .filter(({ labels }) => labels['app.kubernetes.io/component'] === component)
      .flatMap(({ labels }) =>
        ofKind(manifests, 'NetworkPolicy')
          .map(({ spec }) => spec as unknown as Policy)
          .filter(({ podSelector }) => matches(podSelector, labels))
          .flatMap(({ ingress = [] }) => ingress.flatMap(rule => rule.ports.map(({ port }) => port))),
      )
  expect(new Set(ports('api'))).toEqual(new Set(['http', 'metrics']))
  expect(ports('worker')).toEqual(['metrics'])
})

test('streams pass the Ingress and the Gateway without buffering, and for an hour or longer', async () => {
  const ingress = named(await render(...valuesOptions('ci/minimal-values.yaml')), 'Ingress', 'test-ganglion')
  const annotation = (name: string) => ingress.metadata.annotations?.[`nginx.ingress.kubernetes.io/${name}`]
  expect(annotation('proxy-buffering')).toBe('off')
  expect(Number(annotation('proxy-read-timeout'))).toBeGreaterThanOrEqual(3600)

  const route = named(await render(...valuesOptions('values-production.yaml')), 'HTTPRoute', 'test-ganglion')
  expect(route.spec['rules']).toEqual([
    // 0s means no limit.
    { backendRefs: [{ name: 'test-ganglion', port: 80 }], timeouts: { request: '0s' } },
  ])
})

test('Prometheus scrapes all pods under the job names of the alerts', async () => {
  const manifests = await render(...valuesOptions('values-production.yaml'))
  const monitors = ofKind(manifests, 'PodMonitor')
  const endpoints = monitors.flatMap(({ spec }) => spec['podMetricsEndpoints'])
  expect(endpoints).toMatchObject(
    ['ganglion-api', 'ganglion-worker'].map(replacement => ({
      port: 'metrics',
      relabelings: [{ targetLabel: 'job', replacement }],
    })),
  )
  expect(readFileSync(join(CHART, 'files/alerts.yml'), 'utf8')).toContain('job=~"ganglion-.*"')
  const scraped = listPods(manifests).filter(({ labels }) =>
    monitors.some(({ spec }) => isSelected(labels, spec.selector?.matchLabels ?? {})),
  )
  expect(scraped.map(({ name }) => name).toSorted()).toEqual(['test-ganglion-api', 'test-ganglion-worker-default'])
  for (const { pod } of scraped) expect(pod.containers[0].ports?.map(({ name }) => name)).toContain('metrics')
})
