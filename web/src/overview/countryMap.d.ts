/** The drawn map of the country, by the plugin in vite.config.ts. */
declare module 'virtual:country-map' {
  import type { CountryMap } from '@rogatka/domain/overview/countryMap.ts'

  const map: CountryMap
  export default map
}
