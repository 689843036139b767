import { type DragEvent, useState } from 'react'
import '../styles/reviews.css'
import { effortNames } from '../compare/words.ts'
import { CopyText } from '../parts/copy.tsx'
import { Icon } from '../parts/icon.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Notice, Skeleton, Trouble } from '../parts/states.tsx'
import { type Effort, type PlanFile, useReview } from './queries.ts'
import { readPlan } from './read-plan.ts'
import { ReviewView } from './review-view.tsx'
import { SavedReviews, SavedReviewView, SaveReview } from './saved-reviews.tsx'

const choices: readonly Effort[] = ['resize', 'region', 'provider', 'commit', 'spot']

/** Shows how a plan changes the cost, or a review that was saved. */
export default function ReviewsPage({ rest: [id] }: { rest: readonly string[] }) {
  return id === undefined ? <NewReview /> : <SavedReviewView key={id} id={id} />
}

function NewReview() {
  const [file, setFile] = useState<PlanFile>()
  const [wrong, setWrong] = useState<string>()
  const [efforts, setEfforts] = useState<readonly Effort[]>(['resize'])
  const [isOver, setOver] = useState(false)
  const review = useReview()
  const ask = (of: PlanFile, with_: readonly Effort[]) => review.mutate({ file: of, efforts: with_ })
  const take = async (given: File | undefined) => {
    if (given === undefined) return
    setWrong(undefined)
    const read = await readPlan(given)
    if (typeof read === 'string') {
      setFile(undefined)
      review.reset()
      setWrong(read)
    } else {
      setFile(read)
      ask(read, efforts)
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer.files[0])
  }
  const toggle = (effort: Effort) => {
    const next = efforts.includes(effort)
      ? efforts.filter((each) => each !== effort)
      : choices.filter((each) => each === effort || efforts.includes(each))
    setEfforts(next)
    if (file !== undefined) ask(file, next)
  }

  return (
    <>
      <PageHead
        title="Reviews"
        text="What a Terraform plan does to the monthly cost, before it is applied. The plan is not stored."
      />
      <section
        className="card drop"
        aria-label="Plan"
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <label className="drop-file">
          <Icon name="upload" size={22} />
          <span>
            <b>{file === undefined ? 'Drop a plan here, or choose a file' : file.name}</b>
            <span className="note">
              {file === undefined
                ? 'JSON of a plan or a state, at most 4 MiB'
                : 'Drop or choose another to review it'}
            </span>
          </span>
          <input
            type="file"
            aria-label="Plan file"
            accept=".json,application/json"
            onChange={(event) => {
              void take(event.target.files?.[0])
              event.target.value = ''
            }}
          />
        </label>
        <fieldset className="drop-efforts">
          <legend className="field-label">Cheaper alternatives by</legend>
          {choices.map((effort) => (
            <label key={effort} className="check">
              <input type="checkbox" checked={efforts.includes(effort)} onChange={() => toggle(effort)} />
              <span>{effortNames[effort]}</span>
            </label>
          ))}
        </fieldset>
      </section>
      {wrong !== undefined && <Notice tone="danger" title={wrong} />}
      {review.isPending && <Skeleton lines={8} label="Pricing the plan" />}
      {review.error !== null && (
        <Trouble error={review.error} {...(file === undefined ? {} : { again: () => ask(file, efforts) })} />
      )}
      {review.data !== undefined && !review.isPending && file !== undefined && (
        <>
          <SaveReview key={review.submittedAt} of={review.data} file={file.name} />
          <ReviewView of={review.data} />
        </>
      )}
      <SavedReviews />
      {file === undefined && wrong === undefined && <HowTo />}
    </>
  )
}

function HowTo() {
  return (
    <section className="card" aria-labelledby="how-title">
      <h2 id="how-title">Where the file comes from</h2>
      <p className="note">Terraform and OpenTofu write it:</p>
      <CopyText text={'terraform plan -out plan.out\nterraform show -json plan.out > plan.json'} />
      <p className="note">
        In a pipeline, which stops above the limit and adds the totals to the saved reviews:
      </p>
      <CopyText text={'cheapside review plan.json --max-increase 100 --save "infrastructure#42"'} />
    </section>
  )
}
