package io.entroq.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.Status;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

class FailureTest {
  private static Failure of(Status status, boolean isSent) {
    return Failure.of(status, new Metadata(), isSent);
  }

  @Test
  void shouldTreatConnectionErrorsAsUnavailable() {
    Failure closed =
        of(
            Status.UNKNOWN
                .withDescription("channel closed")
                .withCause(new ClosedChannelException()),
            false);
    assertThat(closed.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(closed.isTransient()).isTrue();
    assertThat(closed.isOutcomeUnknown()).isFalse();
    assertThat(of(Status.INTERNAL.withDescription("RST_STREAM closed stream"), true).isTransient())
        .isTrue();
  }

  @Test
  void shouldNameTheInnermostCauseOfABrokenConnection() {
    Exception root = new IllegalStateException("no CA has signed it");
    Exception cause = new IllegalStateException("handshake failed", new RuntimeException(root));
    Failure broken =
        of(
            Status.UNAVAILABLE
                .withDescription("io exception\nChannel Pipeline: [a, b]")
                .withCause(cause),
            false);
    assertThat(broken.message()).isEqualTo("io exception: handshake failed: no CA has signed it");
  }

  @Test
  void shouldKeepTheStatusOfTheServer() {
    Failure unknown = of(Status.UNKNOWN.withDescription("nobody knows"), true);
    assertThat(unknown.isTransient()).isFalse();
    assertThat(unknown.isOutcomeUnknown()).isTrue();
    Failure wrong = of(Status.INVALID_ARGUMENT.withDescription("queue: missing"), true);
    assertThat(wrong.isTransient()).isFalse();
    assertThat(wrong.isOutcomeUnknown()).isFalse();
    assertThat(wrong.message()).isEqualTo("queue: missing");
    assertThat(of(Status.OK, true).code()).isEqualTo(Status.Code.INTERNAL);
  }
}
