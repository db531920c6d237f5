import { useLocation } from '@tanstack/react-router'
import { PalettePlaceholder } from './core/frame/PalettePlaceholder.tsx'
import { usePaletteOpen } from './core/frame/paletteState.ts'
import { PurposePlaceholder, StepUpPlaceholder } from './core/frame/QuestionPlaceholder.tsx'
import { WallFailure } from './core/frame/WallFailure.tsx'
import { lazyPage, lazyPart } from './core/lazyPage.tsx'
import { usePurposeAsked } from './core/purpose.ts'
import { useStepUpAsked } from './core/stepUp.ts'
import { useBuild } from './core/useBuild.ts'
import { useRight } from './core/useSelf.ts'
import { isWallScreen } from './core/wallScreen.ts'
import { vehicleKey } from './ui/vehicle/vehicleKey.ts'
import { ViewKeys } from './views/ViewKeys.tsx'
import { useHasHits } from './wanted/openHits.ts'

/*
 * All pages, lazy-loaded with the texts of the features that they need. Texts of layout, components and errors are
 * always loaded.
 */

const HitWatch = lazyPart('HitWatch', () => import('./wanted/HitWatch.tsx'), { Wrapper: () => null })
// Shown on any page, loaded with the first open hit.
const ofHits = { features: ['vehicle', 'wanted'], Wrapper: () => null }
const HitDesk = lazyPart('HitDesk', () => import('./wanted/HitDesk.tsx'), ofHits)
const HitMark = lazyPart('HitMark', () => import('./wanted/HitMark.tsx'), ofHits)

const AlarmWatch = lazyPart('AlarmWatch', () => import('./alarms/AlarmWatch.tsx'), { Wrapper: () => null })

const InspectionWatch = lazyPart('InspectionWatch', () => import('./inspections/InspectionWatch.tsx'), {
  Wrapper: () => null,
})

// Audited as a search by plate: loaded only when its tab is opened.
const PlateHistory = lazyPart('PlateHistory', () => import('./archive/PlateHistory.tsx'), { features: ['archive'] })

const Palette = lazyPart('Palette', () => import('./palette/Palette.tsx'), {
  features: ['palette'],
  Wrapper: PalettePlaceholder,
})

const StepUpDialog = lazyPart('StepUpDialog', () => import('./factors/StepUpDialog.tsx'), {
  features: ['factors'],
  Wrapper: StepUpPlaceholder,
})

const PurposeDialog = lazyPart('PurposeDialog', () => import('./trail/PurposeDialog.tsx'), {
  features: ['trail'],
  Wrapper: PurposePlaceholder,
})

const ViewEntries = lazyPart('ViewEntries', () => import('./views/ViewEntries.tsx'), { Wrapper: () => null })

/** Hits are of black lists. */
const useSeesHits = () => {
  const [allLists, blackList] = [useRight('WantedList'), useRight('BlackList')]
  return allLists || blackList
}

/** Not in the SG variant, which has no page of alarms. */
function useSeesAlarms() {
  const { build, sg } = useBuild()
  const rights = [useRight('CurrentMeasurements'), useRight('UsersAdmin'), useRight('Tickets')]
  return build !== undefined && !sg && rights.includes(true)
}

/** Pages of which views can be saved. */
const useHasViews = () => {
  const [live, archive, statistics] = [
    useRight('CurrentMeasurements'),
    useRight('ArchiveMeasurements'),
    useRight('Stat'),
  ]
  return live || archive || statistics
}

/** While it is open. */
function PaletteWhenOpen() {
  const hasViews = useHasViews()
  if (!usePaletteOpen()) return null
  return (
    <>
      <Palette />
      {hasViews && <ViewEntries />}
    </>
  )
}

/** While calls wait for the user. */
function QuestionsWhenAsked() {
  const isPurposeAsked = usePurposeAsked()
  if (useStepUpAsked()) return <StepUpDialog />
  return isPurposeAsked ? <PurposeDialog /> : null
}

function Alerts() {
  const isInspector = useRight('Inspections')
  const isReviewer = useRight('InspectionReview')
  const hasHits = useHasHits()
  return (
    <>
      {useSeesHits() && <HitWatch />}
      {hasHits && <HitDesk />}
      {useSeesAlarms() && <AlarmWatch />}
      {(isInspector || isReviewer) && <InspectionWatch />}
      {useHasViews() && <ViewKeys />}
    </>
  )
}

const HeaderMark = () => (useHasHits() ? <HitMark /> : null)

// Lazy: its menus are as large as the whole login, which does not need them.
const PortalFrame = lazyPage('PortalFrame', ['tickets'], async () => {
  const [{ Frame }, { ReportProblem }] = await Promise.all([
    import('./core/frame/Frame.tsx'),
    import('./tickets/ReportProblem.tsx'),
  ])
  return {
    PortalFrame: () => (
      <Frame
        tool={(className) => <ReportProblem className={className} />}
        mark={<HeaderMark />}
        alerts={<Alerts />}
        palette={<PaletteWhenOpen />}
        questions={<QuestionsWhenAsked />}
      />
    ),
  }
})
const WallPage = lazyPart('WallPage', () => import('./wall/WallPage.tsx'), {
  features: ['current', 'devices', 'overview', 'vehicle', 'wall', 'wanted'],
  Wrapper: () => null,
  Failure: WallFailure,
})

/** The frame with its pages, or a wall screen, which has neither. */
export const FrameOrWall = () =>
  useLocation({ select: ({ pathname, searchStr }) => isWallScreen({ pathname, search: searchStr }) }) ? (
    <WallPage />
  ) : (
    <PortalFrame />
  )

export const LoginPage = lazyPage('LoginPage', ['factors', 'session'], () => import('./session/LoginPage.tsx'))
export const PasswordExpiredPage = lazyPage(
  'PasswordExpiredPage',
  ['session'],
  () => import('./session/PasswordExpiredPage.tsx'),
)
export const FactorSetupPage = lazyPage('FactorSetupPage', ['factors'], async () => {
  const { FactorSetupPage } = await import('./factors/FactorSetupPage.tsx')
  return { FactorSetupPage: () => <FactorSetupPage questions={<QuestionsWhenAsked />} /> }
})
export const ResetPasswordPage = lazyPage(
  'ResetPasswordPage',
  ['session'],
  () => import('./session/ResetPasswordPage.tsx'),
)
export const SetPasswordPage = lazyPage('SetPasswordPage', ['session'], () => import('./session/SetPasswordPage.tsx'))

export const ArchivePage = lazyPage('ArchivePage', ['archive', 'vehicle'], () => import('./archive/ArchivePage.tsx'))
export const AlarmsPage = lazyPage('AlarmsPage', ['alarms'], () => import('./alarms/AlarmsPage.tsx'))
export const BlackListPage = lazyPage(
  'BlackListPage',
  ['vehicle', 'wanted'],
  () => import('./wanted/BlackListPage.tsx'),
)
export const WhiteListPage = lazyPage(
  'WhiteListPage',
  ['vehicle', 'wanted'],
  () => import('./wanted/WhiteListPage.tsx'),
)
export const ContactPage = lazyPage('ContactPage', ['wanted'], () => import('./wanted/ContactPage.tsx'))
export const CalibrationDeviationPage = lazyPage(
  'CalibrationDeviationPage',
  ['calibration'],
  () => import('./calibration/CalibrationDeviationPage.tsx'),
)
export const CalibrationPage = lazyPage(
  'CalibrationPage',
  ['calibration'],
  () => import('./calibration/CalibrationPage.tsx'),
)
export const CertificatesPage = lazyPage(
  'CertificatesPage',
  ['certificates'],
  () => import('./certificates/CertificatesPage.tsx'),
)
export const ActivityPage = lazyPage(
  'ActivityPage',
  ['activity', 'alarms', 'roles', 'statistics', 'tickets', 'vehicle'],
  () => import('./activity/ActivityPage.tsx'),
)
export const CurrentPage = lazyPage('CurrentPage', ['current', 'vehicle'], () => import('./current/CurrentPage.tsx'))
export const DevicesPage = lazyPage('DevicesPage', ['devices'], () => import('./devices/DevicesPage.tsx'))
export const WebhooksPage = lazyPage(
  'WebhooksPage',
  ['vehicle', 'webhooks'],
  () => import('./webhooks/WebhooksPage.tsx'),
)
export const SystemsPage = lazyPage('SystemsPage', ['systems'], () => import('./systems/SystemsPage.tsx'))
export const StationsPage = lazyPage('StationsPage', ['locations'], () => import('./locations/StationsPage.tsx'))
export const TrafficPage = lazyPage('TrafficPage', ['traffic', 'vehicle'], () => import('./traffic/TrafficPage.tsx'))
export const LoadsPage = lazyPage('LoadsPage', ['traffic', 'vehicle'], () => import('./traffic/LoadsPage.tsx'))
export const TrailPage = lazyPage(
  'TrailPage',
  ['activity', 'alarms', 'roles', 'statistics', 'tickets', 'trail', 'vehicle'],
  () => import('./trail/TrailPage.tsx'),
)
export const ImportsPage = lazyPage('ImportsPage', ['imports'], () => import('./imports/ImportsPage.tsx'))
export const VerificationPage = lazyPage(
  'VerificationPage',
  ['evidence'],
  () => import('./evidence/VerificationPage.tsx'),
)
export const OffendersPage = lazyPage('OffendersPage', ['offenders'], () => import('./offenders/OffendersPage.tsx'))
export const OverviewPage = lazyPage(
  'OverviewPage',
  ['alarms', 'overview', 'vehicle', 'vms', 'wanted'],
  () => import('./overview/OverviewPage.tsx'),
)
export const AccountSecurityPage = lazyPage(
  'AccountSecurityPage',
  ['factors'],
  () => import('./factors/AccountSecurityPage.tsx'),
)
export const PreferencesPage = lazyPage(
  'PreferencesPage',
  ['activity', 'preferences', 'session'],
  () => import('./preferences/PreferencesPage.tsx'),
)
export const RolesPage = lazyPage('RolesPage', ['roles'], () => import('./roles/RolesPage.tsx'))
export const UsersPage = lazyPage('UsersPage', ['users'], () => import('./users/UsersPage.tsx'))
export const ShiftReportPage = lazyPage(
  'ShiftReportPage',
  ['alarms', 'inspections', 'shifts', 'wanted'],
  () => import('./shifts/ShiftReportPage.tsx'),
)
export const StatisticsPage = lazyPage(
  'StatisticsPage',
  ['statistics', 'vehicle'],
  () => import('./statistics/StatisticsPage.tsx'),
)
export const EffectivenessPage = lazyPage(
  'EffectivenessPage',
  ['inspections'],
  () => import('./inspections/EffectivenessPage.tsx'),
)
export const StationHealthPage = lazyPage('StationHealthPage', ['tickets', 'alarms', 'wanted'], async () => {
  const [{ StationHealthPage }, { Misreads }] = await Promise.all([
    import('./tickets/StationHealthPage.tsx'),
    import('./wanted/Misreads.tsx'),
  ])
  return { StationHealthPage: () => <StationHealthPage cameras={<Misreads />} /> }
})
export const TicketEditPage = lazyPage('TicketEditPage', ['tickets'], () => import('./tickets/TicketEditPage.tsx'))
export const TicketPage = lazyPage('TicketPage', ['tickets'], () => import('./tickets/TicketPage.tsx'))
export const TicketsPage = lazyPage('TicketsPage', ['tickets'], () => import('./tickets/TicketsPage.tsx'))
export const VehiclePage = lazyPage('VehiclePage', ['inspections', 'vehicle'], async () => {
  const [{ VehiclePage }, { AnnounceButton }, { VehicleInspection }, { VehicleWeights }] = await Promise.all([
    import('./vehicle/VehiclePage.tsx'),
    import('./inspections/AnnounceButton.tsx'),
    import('./inspections/VehicleInspection.tsx'),
    import('./inspections/VehicleWeights.tsx'),
  ])
  return {
    VehiclePage: () => (
      <VehiclePage
        actions={(vehicle, isLive) => <AnnounceButton vehicle={vehicle} isLive={isLive} />}
        inspection={(vehicle) => <VehicleInspection vehicle={vehicle} />}
        weights={(vehicle) => <VehicleWeights vehicle={vehicle} />}
        history={(vehicle, onCount) => <PlateHistory key={vehicleKey(vehicle)} vehicle={vehicle} onCount={onCount} />}
      />
    ),
  }
})
export const InspectionPage = lazyPage(
  'InspectionPage',
  ['inspections', 'vehicle'],
  () => import('./inspections/InspectionPage.tsx'),
)
export const InspectionsPage = lazyPage('InspectionsPage', ['current', 'inspections', 'vehicle'], async () => {
  const [{ InspectionsPage }, { LiveStep }] = await Promise.all([
    import('./inspections/InspectionsPage.tsx'),
    import('./current/LiveStep.tsx'),
  ])
  return {
    InspectionsPage: () => <InspectionsPage live={(locations) => <LiveStep search={{ step: 3, locations }} />} />,
  }
})
export const SignUpkeepPage = lazyPage('SignUpkeepPage', ['vms'], () => import('./vms/SignUpkeepPage.tsx'))
export const VmsPage = lazyPage('VmsPage', ['vms'], () => import('./vms/VmsPage.tsx'))
