/** The one function that calls the operator's API. Its table says what each call takes and returns. */
import {
  operatorAddress,
  type OperationAt,
  type OperatorArguments,
  type OperatorMethod,
  type OperatorPath,
  type OperatorReplyBody,
} from '#contract/operator/call-types.ts';
import { callerOf } from '../../base/api/call.ts';

const send = callerOf('/operator/v1');

/** A call can be given up. */
interface Cancelable {
  signal?: AbortSignal;
}

interface AnyInput extends Cancelable {
  params?: object;
  query?: object;
  body?: object;
  bytes?: Blob | Uint8Array<ArrayBuffer>;
}

/** Calls an operation. Throws a `CallFailure` unless it succeeds. */
export function call<Method extends OperatorMethod, Path extends OperatorPath<Method>>(
  method: Method,
  path: Path,
  ...[input]: OperatorArguments<OperationAt<Method, Path>, Cancelable>
): Promise<OperatorReplyBody<OperationAt<Method, Path>>> {
  const { params, query, body, bytes, signal } = (input ?? {}) as AnyInput;
  // What changes something needs a body: a form of another site cannot send it.
  const takesBody = method !== 'GET' && method !== 'DELETE' && bytes === undefined;
  return send(method, operatorAddress(path, { params, query }), {
    ...(takesBody && { body: body ?? {} }),
    ...(bytes && { bytes }),
    ...(signal && { signal }),
  });
}
