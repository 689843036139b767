import { Badge } from '../parts/badge.tsx'
import { Breadcrumb } from '../parts/breadcrumb.tsx'
import { money } from '../parts/figures.ts'
import { PageHead } from '../parts/page-head.tsx'
import { Empty, Skeleton, Trouble } from '../parts/states.tsx'
import { Updating } from '../parts/updating.tsx'
import { DecisionCard } from '../recommendations/decision-card.tsx'
import { addressOf, usePlace } from '../state/router.ts'
import { hoursPerMonth } from '../usage/measured-hours.ts'
import { ContainerView } from './container-view.tsx'
import { keptParams } from './kept-params.ts'
import { ProfileChoice } from './profile.tsx'
import { useNamespace } from './queries.ts'
import { savingTone } from './saving.tsx'
import { useSizingPreference } from './sizing-preference.ts'

interface Props {
  readonly cluster: string
  readonly namespace: string
  /** "Kind/name" */
  readonly workload: string
  readonly container: string
}

/** Shows one container: what is recommended, the decision on it, and its usage over time. */
export function ContainerPage({ cluster, namespace, workload, container }: Props) {
  const { params } = usePlace()
  const preference = useSizingPreference()
  const asked = useNamespace(cluster, namespace, preference)
  const id = `${workload}/${container}`
  const of = asked.data?.ContainerRecommendations[id]
  const kept = keptParams(params)
  const factor = hoursPerMonth / (asked.data?.MeasuredHours ?? 1)
  return (
    <>
      <Breadcrumb
        crumbs={[
          { name: 'Workloads', href: addressOf(['workloads'], kept) },
          { name: namespace, href: addressOf(['workloads', cluster, namespace], kept) },
          { name: workload },
        ]}
      />
      <PageHead
        title={
          <>
            {container} {of?.Init === true && <Badge>init</Badge>}
          </>
        }
        text={`Container of ${workload} in ${namespace}, cluster ${cluster}`}
      >
        <ProfileChoice />
      </PageHead>
      {asked.isPending && <Skeleton lines={8} label="Calculating sizes" />}
      {asked.error !== null && asked.data === undefined && (
        <Trouble error={asked.error} again={() => void asked.refetch()} />
      )}
      <Updating isOld={asked.isPlaceholderData} label="Calculating sizes">
        {asked.data !== undefined && of === undefined && (
          <Empty
            icon="boxes"
            title="No usage in this period"
            text="This container reported no usage. Choose a longer period."
          />
        )}
        {of !== undefined && (
          <>
            <DecisionCard
              filter={{ kind: 'container', cluster, namespace, q: container }}
              isMeant={(recommendation) =>
                recommendation.workload === workload && recommendation.container === container
              }
              none={
                <>
                  Its requests are right as they are. It costs {money(of.CurrentSpend * factor)} per month;
                  with the recommended requests{' '}
                  <span className={savingTone((of.CurrentSpend - of.NewSpend) * factor)}>
                    {money(of.NewSpend * factor)}
                  </span>
                  .
                </>
              }
            />
            <ContainerView
              of={{
                ...of,
                id,
                CurrentSpend: of.CurrentSpend * factor,
                NewSpend: of.NewSpend * factor,
              }}
              cluster={cluster}
              namespace={namespace}
              period={preference.period}
            />
          </>
        )}
      </Updating>
    </>
  )
}
