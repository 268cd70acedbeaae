export { requestActs } from './staff/requests.ts';
export { loggedPath, unknownPath } from './logged-path.ts';
export { shownFields } from './shown-fields.ts';
export { subjectOf } from './subject.ts';
export { getRequest } from './operations/get-request.ts';
export { listRequests } from './operations/list-requests.ts';
export { readLastCalls } from './store/last-calls.ts';
export { type RequestRecorder, startRequestRecorder } from './recorder.ts';
