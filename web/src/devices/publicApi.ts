/* Public API of this feature; other features import nothing else. */

export { DeviceRefused } from './DeviceRefused.tsx'
export { isDevice, useDevice, useIsDeviceRefused } from './useDevice.ts'
