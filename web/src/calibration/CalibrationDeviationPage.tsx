import { CalibrationScreen } from './CalibrationScreen.tsx'

/** Deviation of each lane from its reference. */
export const CalibrationDeviationPage = () => <CalibrationScreen kind="deviation" />
