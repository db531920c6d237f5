import { hasAnyRight, hasRight, type Right } from '@rogatka/contract/access.ts'

type Link = {
  to: string
  /** Key of its name in the namespace `core`. */
  name: string
  /** Of several any one is sufficient. */
  right: Right | readonly Right[]
  /** Rights of which any one hides the link. */
  deniedTo?: readonly Right[]
}

export type NavTarget = Link & {
  /** Further URLs for which the link is marked as current. */
  also?: RegExp
  /** Not available in the SG variant. */
  notInSg?: boolean
}

const MAIN: NavTarget[] = [
  { to: '/overview', name: 'nav-overview', right: 'CurrentMeasurements', notInSg: true },
  { to: '/', name: 'nav-current', right: 'CurrentMeasurements', also: /^\/vehicle\//, notInSg: true },
  {
    to: '/inspections',
    name: 'nav-inspections',
    right: ['Inspections', 'InspectionReview'],
    also: /^\/inspections\//,
    notInSg: true,
  },
  { to: '/archival', name: 'nav-archive', right: 'ArchiveMeasurements', also: /^\/(archival|vehicleArch)\// },
  { to: '/stat', name: 'nav-statistics', right: 'Stat', also: /^\/(offenders$|statistics\/)/ },
  // The only page of the statistics that needs another right.
  { to: '/offenders', name: 'nav-statistics', right: 'Offenders', deniedTo: ['Stat', 'Anonymization'] },
  { to: '/vms', name: 'nav-vms', right: 'Vms', notInSg: true },
]

/** G, then the first letter of the page's Polish name. */
const SHORTCUTS: Record<string, string> = {
  '/overview': 'g p',
  '/': 'g b',
  '/inspections': 'g k',
  '/archival': 'g a',
  '/stat': 'g s',
  '/offenders': 'g s',
  '/vms': 'g z',
}

/** The shortcut of a page in the main navigation. */
export const shortcutOf = ({ to }: NavTarget): string => SHORTCUTS[to] ?? ''

const ALARMS: NavTarget = {
  to: '/alarms',
  name: 'nav-alarms',
  right: ['CurrentMeasurements', 'UsersAdmin', 'Tickets'],
  notInSg: true,
}

/** Pages that other pages and the palette link to: the menu of management needs Admin, these do not. */
const ELSEWHERE: NavTarget[] = [
  ALARMS,
  {
    to: '/shift-report',
    name: 'nav-shift-report',
    right: [
      'CurrentMeasurements',
      'UsersAdmin',
      'Tickets',
      'Vms',
      'WantedList',
      'BlackList',
      'Inspections',
      'InspectionReview',
    ],
    notInSg: true,
  },
]

const MANAGEMENT: NavTarget[] = [
  { to: '/user-management', name: 'nav-users', right: 'UserManagement', also: /^\/users$/ },
  { to: '/user-activity', name: 'nav-activity', right: 'UserManagement' },
  { to: '/access-trail', name: 'nav-trail', right: 'PlateAccess', deniedTo: ['Anonymization'] },
  { to: '/role-group-management', name: 'nav-roles', right: 'UserManagement' },
  { to: '/tickets', name: 'nav-tickets', right: 'Tickets', also: /^\/tickets\//, notInSg: true },
  { to: '/station-health', name: 'nav-station-health', right: ['UsersAdmin', 'Tickets'], notInSg: true },
  ALARMS,
  {
    to: '/scale-certificates',
    name: 'nav-certificates',
    right: ['ScaleCertificates', 'InspectionReview', 'Inspections'],
    notInSg: true,
  },
  { to: '/stations', name: 'nav-stations', right: 'UsersAdmin' },
  { to: '/sign-groups', name: 'nav-sign-upkeep', right: 'UsersAdmin', notInSg: true },
  {
    to: '/evidence',
    name: 'nav-evidence',
    right: ['ArchiveMeasurements', 'CurrentMeasurements', 'InspectionReview', 'Tickets', 'UsersAdmin'],
  },
  { to: '/imports', name: 'nav-imports', right: 'Exchange', deniedTo: ['Anonymization'] },
  { to: '/devices', name: 'nav-devices', right: 'UsersAdmin', notInSg: true },
  { to: '/systems', name: 'nav-systems', right: 'Exchange' },
  { to: '/webhooks', name: 'nav-webhooks', right: 'Exchange' },
  { to: '/calibration', name: 'nav-calibration', right: 'UserManagement', notInSg: true },
  { to: '/calibration-deviation', name: 'nav-calibration-deviation', right: 'UserManagement', notInSg: true },
]

const WANTED: NavTarget[] = [
  { to: '/black-list', name: 'nav-black-list', right: 'BlackList' },
  { to: '/white-list', name: 'nav-white-list', right: 'WhiteList' },
  { to: '/contact', name: 'nav-contacts', right: 'Contacts' },
]

type Tab = Link & {
  /** Completes a URL by the filters of the last visit. */
  restoresItself?: boolean
  /** Has the filters by weekday, hour, COST 323 class and country, which are kept between such tabs. */
  hasTimeClassCountry?: boolean
}

/** Pages of the statistics, each a tab. */
const STATISTICS: Tab[] = [
  { to: '/stat', name: 'nav-summary', right: 'Stat', restoresItself: true },
  { to: '/statistics/traffic', name: 'nav-traffic', right: 'Stat', hasTimeClassCountry: true },
  { to: '/statistics/loads', name: 'nav-loads', right: 'Stat', hasTimeClassCountry: true },
  { to: '/statistics/effectiveness', name: 'nav-effectiveness', right: 'Stat' },
  { to: '/offenders', name: 'nav-offenders', right: 'Offenders', deniedTo: ['Anonymization'] },
]

/** Pages of the upkeep of stations, each a tab. */
const UPKEEP: Tab[] = [
  { to: '/station-health', name: 'nav-station-health', right: ['UsersAdmin', 'Tickets'] },
  { to: '/calibration', name: 'nav-calibration', right: 'UserManagement' },
  { to: '/calibration-deviation', name: 'nav-calibration-deviation', right: 'UserManagement' },
]

const isAllowed = (permissions: readonly string[], { right, deniedTo = [] }: Link) =>
  hasAnyRight(permissions, [right].flat()) && !(deniedTo.length > 0 && hasAnyRight(permissions, deniedTo))

/** The tabs of the statistics that a user with these permissions sees. */
export const statisticsTabsFor = (permissions: readonly string[]): Tab[] =>
  STATISTICS.filter((tab) => isAllowed(permissions, tab))

/** The tabs of the upkeep of stations that a user with these permissions sees. */
export const upkeepTabsFor = (permissions: readonly string[]): Tab[] =>
  UPKEEP.filter((tab) => isAllowed(permissions, tab))

export type Navigation = {
  main: NavTarget[]
  /** Those of `main` that do not fit at the foot of a phone. */
  moreOnPhone: NavTarget[]
  management: NavTarget[]
  wanted: NavTarget[]
  /** Linked by other pages and the palette; they need no Admin. */
  elsewhere: NavTarget[]
}

/** Links at the foot of a phone, besides "more". */
const PHONE_LINKS = 4
/** Links that move to "more" on a phone if there are too many, in this order. */
const PHONE_OVERFLOW = ['nav-statistics', 'nav-vms']

/** The links that a user with these permissions sees; the management menu needs Admin besides each link's own right. */
export function navigationFor(permissions: readonly string[], sg: boolean): Navigation {
  const allowed = (targets: NavTarget[]) =>
    targets.filter((target) => isAllowed(permissions, target) && !(sg && target.notInSg))
  const admin = hasRight(permissions, 'Admin')
  const main = allowed(MAIN)
  const overflow = PHONE_OVERFLOW.filter((candidate) => main.some(({ name }) => name === candidate)).slice(
    0,
    Math.max(0, main.length - PHONE_LINKS),
  )
  return {
    main,
    moreOnPhone: main.filter(({ name }) => overflow.includes(name)),
    management: admin ? allowed(MANAGEMENT) : [],
    wanted: admin ? allowed(WANTED) : [],
    elsewhere: allowed(ELSEWHERE),
  }
}

/** The navigation target of a URL, whatever the user's rights; undefined without one. */
export const targetAt = (path: string): NavTarget | undefined =>
  [...MAIN, ...MANAGEMENT, ...WANTED, ...ELSEWHERE].find((target) => isAt(target, path))

/** Whether the SG variant lacks the page. The live list is only not linked there: its URL shows a welcome page. */
export const isNotInSg = (path: string, sg: boolean): boolean =>
  sg && targetAt(path)?.notInSg === true && targetAt(path)?.to !== '/'

export const isAt = (target: NavTarget, path: string): boolean =>
  path === target.to || (target.also?.test(path) ?? false)

/** Marks the link of the open page for screen readers. */
export const currentProps = (target: NavTarget, path: string) =>
  isAt(target, path) ? { 'aria-current': 'page' as const } : {}
