import { CalibrationScreen } from './CalibrationScreen.tsx'

/** How the scales have drifted, period by period, and when they were calibrated. */
export const CalibrationPage = () => <CalibrationScreen kind="load" />
