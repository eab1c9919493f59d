package io.entroq.service.wire;

import com.google.protobuf.Message;

/**
 * A request as one could be sent by any way.
 *
 * @param method of the v1 API, without its service
 * @param message of the v1 API
 */
record Request(String method, Message message) {
  /** The same message may be one of several methods. */
  static Request of(String method, Message.Builder message) {
    return new Request(method, message.build());
  }
}
