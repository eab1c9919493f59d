package io.entroq.service.transport;

import io.grpc.Status;

/**
 * How a request ended.
 *
 * @param code OK if it was done
 * @param message empty if it was done
 */
record TransportAnswer(Status.Code code, String message) {
  static final TransportAnswer OK = new TransportAnswer(Status.Code.OK, "");
}
