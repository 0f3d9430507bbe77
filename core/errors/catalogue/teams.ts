import type { ErrorEntry } from './entry.js';

/** Teams and their associations (decisions 9 and 12). */
export const teamErrors = {
  teamNameTaken: {
    code: 'team.name_taken',
    status: 422,
    message: 'Validation failed: Name has already been taken',
    when: 'Another team of the organization has the slug that is made from this name.',
    whatToDo: 'Choose another name.',
  },
  teamNameWithoutSlug: {
    code: 'team.name_without_slug',
    status: 422,
    message: 'Validation failed: Name must have a letter or a digit',
    when: 'The name of a team has nothing to make a slug from.',
    whatToDo: 'Choose a name with a letter or a digit.',
  },
  teamSuiteUnknown: {
    code: 'team_suite.unknown_suite',
    status: 422,
    message: 'Validation failed: Suite must exist',
    when: '`suite_id` is not the id of a test suite of the organization.',
    whatToDo: 'Send the id of a suite of the organization.',
  },
  teamSuiteTaken: {
    code: 'team_suite.already_added',
    status: 422,
    message: 'Validation failed: Suite has already been added to this team',
    when: 'The suite is in the team.',
    whatToDo: 'Update the association to change its access level.',
  },
  teamSuiteWithoutAccess: {
    code: 'team_suite.blank_access_level',
    status: 422,
    message: "Validation failed: Access level can't be blank",
    when: '`access_level` is an empty array.',
    whatToDo: 'Send `read`, `edit`, or both.',
  },
  teamPipelineUnknown: {
    code: 'team_pipeline.unknown_pipeline',
    status: 422,
    message: 'Validation failed: Pipeline must exist',
    when: '`pipeline_id` is not the id of a pipeline of the organization.',
    whatToDo: 'Send the id of a pipeline of the organization.',
  },
  teamPipelineTaken: {
    code: 'team_pipeline.already_added',
    status: 422,
    message: 'Validation failed: Pipeline has already been added to this team',
    when: 'The pipeline is in the team.',
    whatToDo: 'Update the association to change its access level.',
  },
  teamPipelineUnnamed: {
    code: 'team_pipeline.blank_pipeline',
    status: 422,
    message: "Validation failed: Pipeline can't be blank",
    when: 'A pipeline is to be removed from a team, and neither path, query nor body names it.',
    whatToDo: 'Name the pipeline in the path.',
  },
} as const satisfies Record<string, ErrorEntry>;
