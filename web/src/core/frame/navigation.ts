import { hasRight, type Right } from '@rogatka/contract/access.ts'

export type NavTarget = {
  to: string
  /** Key of its name among the texts of `core`. */
  name: string
  right: Right
  /** Addresses besides its own on which it is marked. */
  also?: RegExp
  /** Builds of the SG variant go without it. */
  notInSg?: boolean
}

const MAIN: NavTarget[] = [
  { to: '/', name: 'nav-current', right: 'CurrentMeasurements', also: /^\/vehicle\//, notInSg: true },
  { to: '/archival', name: 'nav-archive', right: 'ArchiveMeasurements', also: /^\/(archival|vehicleArch)\// },
  { to: '/stat', name: 'nav-statistics', right: 'Stat' },
  { to: '/vms', name: 'nav-vms', right: 'Vms', notInSg: true },
]

const MANAGEMENT: NavTarget[] = [
  { to: '/user-management', name: 'nav-users', right: 'UserManagement', also: /^\/users$/ },
  { to: '/user-activity', name: 'nav-activity', right: 'UserManagement' },
  { to: '/role-group-management', name: 'nav-roles', right: 'UserManagement' },
  { to: '/tickets', name: 'nav-tickets', right: 'Tickets', also: /^\/tickets\//, notInSg: true },
  { to: '/station-health', name: 'nav-station-health', right: 'UsersAdmin', notInSg: true },
  { to: '/calibration', name: 'nav-calibration', right: 'UserManagement', notInSg: true },
  { to: '/calibration-deviation', name: 'nav-calibration-deviation', right: 'UserManagement', notInSg: true },
]

const WANTED: NavTarget[] = [
  { to: '/black-list', name: 'nav-black-list', right: 'BlackList' },
  { to: '/white-list', name: 'nav-white-list', right: 'WhiteList' },
  { to: '/contact', name: 'nav-contacts', right: 'Contacts' },
]

export type Navigation = { main: NavTarget[]; management: NavTarget[]; wanted: NavTarget[] }

/** The links that a holder of these permissions sees; the management menu needs Admin besides the right of each link. */
export function navigationFor(permissions: readonly string[], sg: boolean): Navigation {
  const seen = (places: NavTarget[]) =>
    places.filter(({ right, notInSg }) => hasRight(permissions, right) && !(sg && notInSg))
  const admin = hasRight(permissions, 'Admin')
  return { main: seen(MAIN), management: admin ? seen(MANAGEMENT) : [], wanted: admin ? seen(WANTED) : [] }
}

/** The place under which an address stands, whoever may open it; undefined: it has a name of its own. */
export const placeAt = (path: string): NavTarget | undefined =>
  [...MAIN, ...MANAGEMENT, ...WANTED].find((place) => isAt(place, path))

/** Pages that builds of the SG variant go without. The live list is only not linked: its wizard has a form for these builds. */
export const isGone = (path: string, sg: boolean): boolean =>
  sg && placeAt(path)?.notInSg === true && placeAt(path)?.to !== '/'

export const isAt = (place: NavTarget, path: string): boolean => path === place.to || (place.also?.test(path) ?? false)
