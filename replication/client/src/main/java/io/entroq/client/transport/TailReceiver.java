package io.entroq.client.transport;

import io.entroq.codec.wire.edge.TailResponse;

/** Receives a feed from one server: responses, then once its end or a failure. */
public interface TailReceiver {
  /** Called at most as often as responses were asked for. */
  void onResponse(TailResponse response);

  /** All was sent that was asked for. */
  void onEnd();

  void onFailure(Failure failure);
}
