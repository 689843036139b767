/** For a provider without zones below its regions: callers then write the region once more. */
export const zoneIsRegion = (zone: string, region: string): boolean =>
  zone.toLowerCase() === region.toLowerCase()
