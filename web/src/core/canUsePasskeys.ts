/** Whether this browser has passkeys, and reads and writes their JSON; not on pages without TLS. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential
