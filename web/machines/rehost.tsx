import { paidAs } from '../compare/candidates.ts'
import { cores, gib, hourly, money } from '../parts/figures.ts'
import type { Home, Summary } from './questions.ts'

/** The cheapest instances that hold what the machine needs. */
export function Rehost({ of, vm }: { of: NonNullable<Summary['rehost']>; vm: string }) {
  if (of.reasons.length > 0) return <p className="note">{of.reasons.join(' ')}</p>
  if (of.anywhere === null && of.sameRegion === null) return null
  const same =
    of.sameRegion !== null &&
    of.anywhere?.instanceType === of.sameRegion.instanceType &&
    of.anywhere.region === of.sameRegion.region
  return (
    <section className="homes" aria-label={`Cheapest instances for ${vm}`}>
      {of.anywhere !== null && <HomeCard of={of.anywhere} title="Cheapest that fits, nearby" />}
      {of.sameRegion !== null && !same && <HomeCard of={of.sameRegion} title="Cheapest in its region" />}
    </section>
  )
}

function HomeCard({ of, title }: { of: Home; title: string }) {
  const saved = of.savingsPerMonth
  return (
    <div className="card home">
      <h2>{title}</h2>
      <p className="home-name">
        <b>{of.instanceType}</b> {of.provider}, {of.region}
        {of.availabilityZone !== '' && `, ${of.availabilityZone}`}
      </p>
      <p className="note">
        {cores(of.cpuCores)}, {gib(of.ramGb)}, {paidAs(of.usageType)}, {hourly(of.costPerHour)}/h
      </p>
      {saved !== null && (
        <p className={saved >= 0 ? 'good' : 'bad'}>
          {saved >= 0 ? `saves ${money(saved)} a month` : `costs ${money(-saved)} more a month`}
        </p>
      )}
    </div>
  )
}
