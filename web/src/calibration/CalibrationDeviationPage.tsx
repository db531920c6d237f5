import { CalibrationScreen } from './CalibrationScreen.tsx'

/** How far each lane is from its reference. */
export const CalibrationDeviationPage = () => <CalibrationScreen kind="deviation" />
