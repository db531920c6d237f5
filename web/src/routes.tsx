import type { Right } from '@rogatka/contract/access.ts'
import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { readActivitySearch } from './activity/search.ts'
import { readAlarmSearch } from './alarms/search.ts'
import { entryRedirect, resultRedirect } from './archive/entry.ts'
import { readArchiveSearch } from './archive/search.ts'
import { readCalibrationSearch } from './calibration/search.ts'
import { readCertificatesSearch } from './certificates/search.ts'
import { resetArrivals } from './core/arrivals.ts'
import { deviceSession } from './core/device.ts'
import { clearDrafts } from './core/drafts.ts'
import { showError } from './core/errors.ts'
import { ApiFailure } from './core/failure.ts'
import { NotFound } from './core/frame/NotFound.tsx'
import { PageError } from './core/frame/PageError.tsx'
import { Root } from './core/frame/Root.tsx'
import { StartFailure } from './core/frame/StartFailure.tsx'
import { resetListRequests } from './core/listRequests.ts'
import { queryClient } from './core/queryClient.ts'
import { openSearches, saveAddress, saveOpenedLinks } from './core/savedSearches.ts'
import { parseSearch, stringifySearch } from './core/search.ts'
import { endSession, session, setMustChangePassword, setMustSetUpFactor, setSessionUser } from './core/session.ts'
import { signOut } from './core/signOut.ts'
import { buildQuery, homePath, isSg } from './core/useBuild.ts'
import { selfQuery } from './core/useSelf.ts'
import { isWallScreen } from './core/wallScreen.ts'
import { withTimeout } from './core/withTimeout.ts'
import { readCurrentSearch } from './current/search.ts'
import { readImportsSearch } from './imports/search.ts'
import { readEffectivenessSearch } from './inspections/effectivenessSearch.ts'
import { readOffenderSearch } from './offenders/search.ts'
import { readOverviewSearch } from './overview/search.ts'
import {
  AccountSecurityPage,
  ActivityPage,
  AlarmsPage,
  ArchivePage,
  BlackListPage,
  CalibrationDeviationPage,
  CalibrationPage,
  CertificatesPage,
  ContactPage,
  CurrentPage,
  DevicesPage,
  EffectivenessPage,
  FactorSetupPage,
  FrameOrWall,
  ImportsPage,
  InspectionPage,
  InspectionsPage,
  LoadsPage,
  LoginPage,
  OffendersPage,
  OverviewPage,
  PasswordExpiredPage,
  PreferencesPage,
  ResetPasswordPage,
  RolesPage,
  SetPasswordPage,
  ShiftReportPage,
  SignUpkeepPage,
  StationHealthPage,
  StationsPage,
  StatisticsPage,
  SystemsPage,
  TicketEditPage,
  TicketPage,
  TicketsPage,
  TrafficPage,
  TrailPage,
  UsersPage,
  VehiclePage,
  VerificationPage,
  VmsPage,
  WebhooksPage,
  WhiteListPage,
} from './pages.tsx'
import { readRolesSearch } from './roles/search.ts'
import { resolveRedirect } from './session/guard.ts'
import { readShiftSearch } from './shifts/search.ts'
import { readStatisticsSearch } from './statistics/search.ts'
import { readHealthSearch, readTicketsSearch } from './tickets/search.ts'
import { readTrafficSearch } from './traffic/search.ts'
import { readTrailSearch } from './trail/search.ts'
import { readUsersSearch } from './users/search.ts'
import { readVehicleSearch } from './vehicle/search.ts'
import { readVmsSearch } from './vms/search.ts'
import { readSignUpkeepSearch } from './vms/upkeepSearch.ts'
import { readWallSearch } from './wall/search.ts'
import { readWantedSearch } from './wanted/search.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Rights of which one is sufficient; absent: any session. */
    access?: readonly Right[]
    /** Rights of which any one denies the page. */
    deniedTo?: readonly Right[]
    /** Whether the page has no header and navigation on phones. */
    needsWholePhone?: boolean
  }
  interface Register {
    router: typeof router
  }
}

/** Names of rights, separated by commas; never if one is no right. */
type RightList<T extends string> = T extends `${infer First},${infer Rest}`
  ? `${First & Right},${RightList<Rest>}`
  : T & Right

/** Rights of a page, separated by commas; one is sufficient. */
const requiresAnyOf = <T extends string>(names: T & RightList<T>) => ({
  staticData: { access: names.split(',') as Right[] },
})

/** Without header and navigation on phones, already while it is loaded. */
const onWholePhone = ({ staticData }: ReturnType<typeof requiresAnyOf>) => ({
  staticData: { ...staticData, needsWholePhone: true },
})

/** Denies the page to users of anonymised data, from whom it could not hide whose vehicle it is. */
const exceptAnonymised = ({ staticData }: ReturnType<typeof requiresAnyOf>) => ({
  staticData: { ...staticData, deniedTo: ['Anonymization'] as Right[] },
})

const root = createRootRoute({
  component: Root,
  errorComponent: StartFailure,
  beforeLoad: async ({ location, search }) => {
    const isDevice = isWallScreen() && deviceSession.get().token !== null
    if (location.pathname === '/logout' || isDevice) return
    const [self, build] = await Promise.all([loadSelf(), queryClient.ensureQueryData(buildQuery).catch(() => null)])
    const { mustChangePassword, mustSetUpFactor } = session.get()
    const home = homePath(build !== null && isSg(build.buildCode))
    const decision = resolveRedirect({
      path: location.pathname,
      url: location.href,
      signedIn: self !== null,
      mustChangePassword: mustChangePassword || Boolean(self?.mustChangePassword || self?.passwordExpired),
      mustSetUpFactor: mustSetUpFactor || Boolean(self?.mustSetUpFactor),
      home,
      returnTo: (search as Record<string, string>).wanted,
    })
    if (!decision) return openAddress(location, search)
    const isSignIn = location.pathname === '/login' && decision.to === home
    const start = self && isSignIn ? await findStartView() : null
    start?.record()
    throw redirect({ href: start?.href ?? decision.to + stringifySearch({ wanted: decision.returnTo }), replace: true })
  },
})

/**
 * Opens the saved searches of an address that this tab does not know. If one is gone, the page is opened at its filters
 * without it, and says so.
 */
async function openAddress({ pathname, href }: { pathname: string; href: string }, search: object): Promise<void> {
  const { isChanged, gone, failure } = await openSearches(pathname, { ...search })
  if (failure) {
    showError(failure)
    const isKept = ([name]: [string, unknown]) => !gone.includes(name) && name !== 'step'
    const kept = Object.fromEntries(Object.entries(search).filter(isKept))
    const step = 'step' in search ? FILTERS_STEP : undefined
    throw redirect({ href: pathname + stringifySearch({ ...kept, step }), replace: true })
  }
  if (isChanged) throw redirect({ href, replace: true })
}

/** Step of the filters in the wizards of the live list and the archive. */
const FILTERS_STEP = 2

/** After this time a sign-in opens the home page, whatever view the user has chosen. */
const START_TIMEOUT_MS = 3_000

/** The view that the user opens after sign-in; null without one, or if it could not be read in time. */
const findStartView = () =>
  withTimeout(
    import('./views/opening.ts').then(({ findStartView }) => findStartView()),
    START_TIMEOUT_MS,
  ).catch(() => null)

/** The user of this session; null without one. */
async function loadSelf() {
  if (session.get().token === null) return null
  try {
    const self = await queryClient.ensureQueryData(selfQuery)
    setSessionUser(self.id)
    clearDrafts(self.id)
    if (self.mustChangePassword || self.passwordExpired) setMustChangePassword(true)
    if (self.mustSetUpFactor) setMustSetUpFactor(true)
    return self
  } catch (error) {
    if (!(error instanceof ApiFailure && error.status === 401)) throw error
    endSession('session-expired')
    return null
  }
}

const frame = createRoute({ getParentRoute: () => root, id: 'frame', component: FrameOrWall })

const inFrame = () => frame

const home = createRoute({
  getParentRoute: inFrame,
  path: '/',
  component: CurrentPage,
  validateSearch: (search: Record<string, unknown>) => ({ ...readCurrentSearch(search), ...readWallSearch(search) }),
})

const overview = createRoute({
  getParentRoute: inFrame,
  path: '/overview',
  component: OverviewPage,
  validateSearch: readOverviewSearch,
  ...requiresAnyOf('CurrentMeasurements'),
})

const vehicle = createRoute({
  getParentRoute: inFrame,
  path: '/vehicle/$id/$locationId',
  component: VehiclePage,
  validateSearch: readVehicleSearch,
  ...requiresAnyOf('CurrentMeasurements'),
})

const archivedVehicle = createRoute({
  getParentRoute: inFrame,
  path: '/vehicleArch/$id/$locationId/$createdAt',
  component: VehiclePage,
  validateSearch: readVehicleSearch,
  ...requiresAnyOf('ArchiveMeasurements'),
})

/** Other ids show the not-found page at once, as the server would reject them on every retry. */
const isId = (text: string): boolean => /^\d{1,10}$/.test(text) && Number(text) > 0 && Number(text) < 2 ** 31

const numericId = {
  params: {
    parse: ({ id }: { id: string }) => (isId(id) ? { id: Number(id) } : (false as const)),
    stringify: ({ id }: { id: number }) => ({ id: String(id) }),
  },
}

const inspections = createRoute({
  getParentRoute: inFrame,
  path: '/inspections',
  component: InspectionsPage,
  ...requiresAnyOf('Inspections,InspectionReview'),
})

const inspection = createRoute({
  getParentRoute: inFrame,
  path: '/inspections/$id',
  component: InspectionPage,
  ...numericId,
  ...onWholePhone(requiresAnyOf('Inspections,InspectionReview')),
})

const archive = createRoute({
  getParentRoute: inFrame,
  path: '/archival',
  component: ArchivePage,
  validateSearch: readArchiveSearch,
  beforeLoad: ({ search, cause }) => {
    const target = entryRedirect(search, cause === 'stay')
    if (target) throw redirect({ to: '/archival', search: target, replace: true })
  },
  ...requiresAnyOf('ArchiveMeasurements'),
})

const archiveResult = createRoute({
  getParentRoute: inFrame,
  path: '/archival/result',
  validateSearch: readArchiveSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/archival', search: resultRedirect(search), replace: true })
  },
  ...requiresAnyOf('ArchiveMeasurements'),
})

const statistics = createRoute({
  getParentRoute: inFrame,
  path: '/stat',
  component: StatisticsPage,
  validateSearch: readStatisticsSearch,
  ...requiresAnyOf('Stat'),
})

const traffic = createRoute({
  getParentRoute: inFrame,
  path: '/statistics/traffic',
  component: TrafficPage,
  validateSearch: readTrafficSearch,
  ...requiresAnyOf('Stat'),
})

const trafficLoads = createRoute({
  getParentRoute: inFrame,
  path: '/statistics/loads',
  component: LoadsPage,
  validateSearch: readTrafficSearch,
  ...requiresAnyOf('Stat'),
})

const effectiveness = createRoute({
  getParentRoute: inFrame,
  path: '/statistics/effectiveness',
  component: EffectivenessPage,
  validateSearch: readEffectivenessSearch,
  ...requiresAnyOf('Stat'),
})

const offenders = createRoute({
  getParentRoute: inFrame,
  path: '/offenders',
  component: OffendersPage,
  validateSearch: readOffenderSearch,
  ...exceptAnonymised(requiresAnyOf('Offenders')),
})

const vms = createRoute({
  getParentRoute: inFrame,
  path: '/vms',
  component: VmsPage,
  validateSearch: readVmsSearch,
  ...requiresAnyOf('Vms'),
})

const users = createRoute({
  getParentRoute: inFrame,
  path: '/user-management',
  component: UsersPage,
  validateSearch: readUsersSearch,
  ...requiresAnyOf('UserManagement'),
})

const activity = createRoute({
  getParentRoute: inFrame,
  path: '/user-activity',
  component: ActivityPage,
  validateSearch: readActivitySearch,
  ...requiresAnyOf('UserManagement'),
})

const trail = createRoute({
  getParentRoute: inFrame,
  path: '/access-trail',
  component: TrailPage,
  validateSearch: readTrailSearch,
  ...exceptAnonymised(requiresAnyOf('PlateAccess')),
})

const roles = createRoute({
  getParentRoute: inFrame,
  path: '/role-group-management',
  component: RolesPage,
  validateSearch: readRolesSearch,
  ...requiresAnyOf('UserManagement'),
})

const calibration = createRoute({
  getParentRoute: inFrame,
  path: '/calibration',
  component: CalibrationPage,
  validateSearch: readCalibrationSearch,
  ...requiresAnyOf('UserManagement'),
})

const calibrationDeviation = createRoute({
  getParentRoute: inFrame,
  path: '/calibration-deviation',
  component: CalibrationDeviationPage,
  validateSearch: readCalibrationSearch,
  ...requiresAnyOf('UserManagement'),
})

const tickets = createRoute({
  getParentRoute: inFrame,
  path: '/tickets',
  component: TicketsPage,
  validateSearch: readTicketsSearch,
  ...requiresAnyOf('Tickets'),
})

const ticket = createRoute({
  getParentRoute: inFrame,
  path: '/tickets/$id',
  component: TicketPage,
  ...numericId,
  ...requiresAnyOf('Tickets'),
})

const ticketEdit = createRoute({
  getParentRoute: inFrame,
  path: '/tickets/$id/edit',
  component: TicketEditPage,
  ...numericId,
  ...requiresAnyOf('Tickets'),
})

const stationHealth = createRoute({
  getParentRoute: inFrame,
  path: '/station-health',
  component: StationHealthPage,
  validateSearch: readHealthSearch,
  ...requiresAnyOf('UsersAdmin,Tickets'),
})

const scaleCertificates = createRoute({
  getParentRoute: inFrame,
  path: '/scale-certificates',
  component: CertificatesPage,
  validateSearch: readCertificatesSearch,
  ...requiresAnyOf('ScaleCertificates,InspectionReview,Inspections'),
})

const devices = createRoute({
  getParentRoute: inFrame,
  path: '/devices',
  component: DevicesPage,
  ...requiresAnyOf('UsersAdmin'),
})

const systems = createRoute({
  getParentRoute: inFrame,
  path: '/systems',
  component: SystemsPage,
  ...requiresAnyOf('Exchange'),
})

const webhooks = createRoute({
  getParentRoute: inFrame,
  path: '/webhooks',
  component: WebhooksPage,
  ...requiresAnyOf('Exchange'),
})

const stations = createRoute({
  getParentRoute: inFrame,
  path: '/stations',
  component: StationsPage,
  ...requiresAnyOf('UsersAdmin'),
})

const imports = createRoute({
  getParentRoute: inFrame,
  path: '/imports',
  component: ImportsPage,
  validateSearch: readImportsSearch,
  ...exceptAnonymised(requiresAnyOf('Exchange')),
})

const evidence = createRoute({
  getParentRoute: inFrame,
  path: '/evidence',
  component: VerificationPage,
})

const signUpkeep = createRoute({
  getParentRoute: inFrame,
  path: '/sign-groups',
  component: SignUpkeepPage,
  validateSearch: readSignUpkeepSearch,
  ...requiresAnyOf('UsersAdmin'),
})

const alarms = createRoute({
  getParentRoute: inFrame,
  path: '/alarms',
  component: AlarmsPage,
  validateSearch: readAlarmSearch,
  ...requiresAnyOf('CurrentMeasurements,UsersAdmin,Tickets'),
})

const shiftReport = createRoute({
  getParentRoute: inFrame,
  path: '/shift-report',
  component: ShiftReportPage,
  validateSearch: readShiftSearch,
  ...requiresAnyOf('CurrentMeasurements,UsersAdmin,Tickets,Vms,WantedList,BlackList,Inspections,InspectionReview'),
})

const blackList = createRoute({
  getParentRoute: inFrame,
  path: '/black-list',
  component: BlackListPage,
  validateSearch: readWantedSearch,
  ...requiresAnyOf('WantedList'),
})

const whiteList = createRoute({
  getParentRoute: inFrame,
  path: '/white-list',
  component: WhiteListPage,
  validateSearch: readWantedSearch,
  ...requiresAnyOf('WantedList'),
})

const contacts = createRoute({
  getParentRoute: inFrame,
  path: '/contact',
  component: ContactPage,
  validateSearch: readWantedSearch,
  ...requiresAnyOf('WantedList'),
})

const preferences = createRoute({
  getParentRoute: inFrame,
  path: '/preference',
  component: PreferencesPage,
  ...requiresAnyOf('SelfConfig'),
})

const accountSecurity = createRoute({
  getParentRoute: inFrame,
  path: '/account-security',
  component: AccountSecurityPage,
})

const administrators = createRoute({
  getParentRoute: inFrame,
  path: '/users',
  component: UsersPage,
  validateSearch: readUsersSearch,
  ...requiresAnyOf('UsersAdmin'),
})

const unknown = createRoute({ getParentRoute: inFrame, path: '/$', component: NotFound })

const login = createRoute({ getParentRoute: () => root, path: '/login', component: LoginPage })

const logout = createRoute({
  getParentRoute: () => root,
  path: '/logout',
  beforeLoad: () => {
    void signOut()
    throw redirect({ to: '/login', replace: true })
  },
})

const passwordExpired = createRoute({
  getParentRoute: () => root,
  path: '/password-expired',
  component: PasswordExpiredPage,
})

const factorSetup = createRoute({
  getParentRoute: () => root,
  path: '/factor-setup',
  component: FactorSetupPage,
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: ResetPasswordPage,
})

const setPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password/reset/$email',
  component: SetPasswordPage,
})

/** The e-mail address may also be in the query. */
const setPasswordByQuery = createRoute({
  getParentRoute: () => root,
  path: '/reset-password/reset',
  component: SetPasswordPage,
})

const tree = root.addChildren([
  frame.addChildren([
    home,
    overview,
    vehicle,
    archivedVehicle,
    inspections,
    inspection,
    archive,
    archiveResult,
    statistics,
    traffic,
    trafficLoads,
    effectiveness,
    offenders,
    vms,
    users,
    activity,
    trail,
    roles,
    calibration,
    calibrationDeviation,
    tickets,
    ticket,
    ticketEdit,
    stationHealth,
    alarms,
    shiftReport,
    scaleCertificates,
    devices,
    systems,
    webhooks,
    stations,
    signUpkeep,
    evidence,
    imports,
    blackList,
    whiteList,
    contacts,
    preferences,
    accountSecurity,
    administrators,
    unknown,
  ]),
  login,
  logout,
  passwordExpired,
  factorSetup,
  resetPassword,
  setPassword,
  setPasswordByQuery,
])

export const router = createRouter({
  routeTree: tree,
  parseSearch,
  stringifySearch,
  defaultPreload: false,
  defaultErrorComponent: PageError,
})

/** Query keys kept after a session; all others are removed, so that no other user sees them. */
const KEPT_QUERY_KEYS = ['page', 'build']

/**
 * Runs the route guard again whenever the session starts, ends or needs a new password, and resets the counters on the
 * home page.
 */
export function startGuard(): void {
  let { token, mustChangePassword, mustSetUpFactor } = session.get()
  session.subscribe(() => {
    const current = session.get()
    if (current.token !== token) {
      queryClient.removeQueries({ predicate: ({ queryKey }) => !KEPT_QUERY_KEYS.includes(String(queryKey[0])) })
      resetArrivals()
    }
    const isSame =
      current.token === token &&
      current.mustChangePassword === mustChangePassword &&
      current.mustSetUpFactor === mustSetUpFactor
    if (!isSame) void router.invalidate()
    token = current.token
    mustSetUpFactor = current.mustSetUpFactor
    mustChangePassword = current.mustChangePassword
  })
  saveOpenedLinks()
  router.subscribe('onResolved', ({ toLocation, pathChanged }) => {
    if (session.get().token !== null) saveAddress(toLocation.href)
    if (toLocation.pathname !== '/' || !pathChanged) return
    resetArrivals()
    resetListRequests()
  })
}
