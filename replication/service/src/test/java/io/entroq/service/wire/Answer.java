package io.entroq.service.wire;

import io.grpc.Status;

/**
 * How a request ended.
 *
 * @param code OK if it was done
 * @param message empty if it was done
 */
record Answer(Status.Code code, String message) {
  static final Answer OK = new Answer(Status.Code.OK, "");
}
