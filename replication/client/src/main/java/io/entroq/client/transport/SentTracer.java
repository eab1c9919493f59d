package io.entroq.client.transport;

import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;

/** Records whether a call has left this process. */
final class SentTracer extends ClientStreamTracer.Factory {
  private volatile boolean isSent;

  boolean isSent() {
    return isSent;
  }

  @Override
  public ClientStreamTracer newClientStreamTracer(
      ClientStreamTracer.StreamInfo info, Metadata headers) {
    return new ClientStreamTracer() {
      @Override
      public void outboundHeaders() {
        isSent = true;
      }
    };
  }
}
