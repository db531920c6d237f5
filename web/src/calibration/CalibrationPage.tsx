import { CalibrationWizard } from './CalibrationWizard.tsx'

/** Mean first-axle loads by period, and calibration dates. */
export const CalibrationPage = () => <CalibrationWizard kind="load" />
