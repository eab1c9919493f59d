package io.entroq.service.transport;

import com.google.protobuf.Message;

/**
 * A request as one could be sent by any way.
 *
 * @param method of the v1 API, without its service
 * @param message of the v1 API
 */
record TransportRequest(String method, Message message) {
  /** The same message may be one of several methods. */
  static TransportRequest of(String method, Message.Builder message) {
    return new TransportRequest(method, message.build());
  }
}
