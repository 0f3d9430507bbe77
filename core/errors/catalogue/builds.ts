import type { ErrorEntry } from './entry.js';

const readAgain = 'Read the job again, and act on its present state.';

/** States of builds and jobs that do not allow what is asked (decisions 6 and 7). */
export const buildErrors = {
  branchesDisabled: {
    code: 'build.branches_disabled',
    status: 422,
    message: 'Branches have been disabled for this pipeline',
    when: 'The branch filter of the pipeline excludes all branches.',
    whatToDo: 'Send `ignore_pipeline_branch_filters: true`, or change the filter.',
  },
  branchExcluded: {
    code: 'build.branch_excluded',
    status: 422,
    message: "The branch {branch} is excluded by this pipeline's branch filter",
    when: 'The branch filter of the pipeline excludes the branch of a new build.',
    whatToDo: 'Send `ignore_pipeline_branch_filters: true`, or change the filter.',
  },
  buildFinished: {
    code: 'build.not_cancelable.finished',
    status: 422,
    message: "Build can't be canceled because it's already finished.",
    when: 'The build to be canceled is finished.',
    whatToDo: 'Nothing: the build runs no more.',
  },
  buildCanceling: {
    code: 'build.not_cancelable.canceling',
    status: 422,
    message: "Build can't be canceled because it's already being canceled.",
    when: 'The build to be canceled is being canceled already.',
    whatToDo: 'Wait for the running jobs to end.',
  },
  buildBlocked: {
    code: 'build.not_cancelable.blocked',
    status: 422,
    message: "Build can't be canceled because it's blocked.",
    when: 'The build to be canceled waits at a block step.',
    whatToDo: 'Nothing: the build runs no more until it is unblocked.',
  },
  jobNotStartable: {
    code: 'job.not_startable',
    status: 422,
    message: "Job can't be started because it's {state}",
    when: 'The job to be started has not been accepted by an agent, or is started or finished.',
    whatToDo: readAgain,
  },
  jobNotFinishable: {
    code: 'job.not_finishable',
    status: 422,
    message: "Job can't be finished because it's {state}",
    when: 'The job to be finished has not been started.',
    whatToDo: 'Start the job first.',
  },
  jobNotReleasable: {
    code: 'job.not_releasable',
    status: 422,
    message: "Job can't be released because it's {state}",
    when: 'The job to be given back is with no agent, or has been started.',
    whatToDo: readAgain,
  },
  jobNotUnblockable: {
    code: 'job.not_unblockable',
    status: 422,
    message: "Job can't be unblocked because it's {state}",
    when: 'The job to be unblocked is no block step that the build has reached.',
    whatToDo: readAgain,
  },
  jobNotRetriable: {
    code: 'job.not_retriable.state',
    status: 422,
    message: "Job can't be retried because it's {state}",
    when: 'The job to be retried is not finished, or is of a type that cannot be retried.',
    whatToDo: readAgain,
  },
  jobRetried: {
    code: 'job.not_retriable.retried',
    status: 422,
    message: "Job can't be retried because it has been retried already",
    when: 'The job to be retried has been retried.',
    whatToDo: 'Retry the newer job, which `retried_in_job_id` names.',
  },
  jobBuildNotRetriable: {
    code: 'job.not_retriable.build',
    status: 422,
    message: "Job can't be retried because its build is {state}",
    when: 'The build of the job to be retried is being canceled, was skipped, or ran no step.',
    whatToDo: 'Create a build.',
  },
  jobQueueDeleted: {
    code: 'job.not_retriable.queue_deleted',
    status: 422,
    message: "Job can't be retried because its queue has been deleted",
    when: 'The queue of the job to be retried is gone.',
    whatToDo: 'Create a build.',
  },
} as const satisfies Record<string, ErrorEntry>;
