import { CalibrationWizard } from './CalibrationWizard.tsx'

/** Deviation of each lane from its reference. */
export const CalibrationDeviationPage = () => <CalibrationWizard kind="deviation" />
