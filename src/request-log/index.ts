export { loggedPath } from './logged-path.ts';
export { listRequests } from './operations/list-requests.ts';
export { type RequestRecorder, startRequestRecorder } from './recorder.ts';
