import { CalibrationScreen } from './CalibrationScreen.tsx'

/** Mean first-axle loads by period, and calibration dates. */
export const CalibrationPage = () => <CalibrationScreen kind="load" />
