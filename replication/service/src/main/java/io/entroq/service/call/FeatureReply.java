package io.entroq.service.call;

import io.entroq.codec.wire.edge.TimeResponse;

/** Adds features to those that a server says it has. */
public final class FeatureReply extends ForwardingReply<TimeResponse> {
  private final long features;

  /**
   * Forwards to a reply.
   *
   * @param features as in a {@link TimeResponse}
   */
  public FeatureReply(Reply<TimeResponse> reply, long features) {
    super(reply);
    this.features = features;
  }

  @Override
  public void send(TimeResponse response) {
    super.send(response.toBuilder().setFeatures(response.getFeatures() | features).build());
  }
}
