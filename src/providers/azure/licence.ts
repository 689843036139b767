/**
 * Whether a Windows machine runs with a licence of the customer (Azure Hybrid Benefit). It then costs as much as Linux, but only at
 * Azure: other providers charge for Windows or have other rules for such licences.
 */
export const hasOwnLicence = (licenceType: string): boolean => /^windows_(server|client)$/i.test(licenceType)

export const ownLicenceNote =
  'runs Windows with your own licence (Azure Hybrid Benefit): priced without the licence, compared within Azure only'
