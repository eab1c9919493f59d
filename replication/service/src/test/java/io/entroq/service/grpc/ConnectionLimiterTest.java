package io.entroq.service.grpc;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.service.limit.Origins;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelOutboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.ChannelPromise;
import io.grpc.netty.shaded.io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Connections that are too many, and those that are dead. */
class ConnectionLimiterTest {
  private long nowNs;
  private final FloodTracker floods = new FloodTracker(() -> nowNs);
  private final ConnectionLimiter bound =
      new ConnectionLimiter(1, Duration.ofMillis(50), new Origins(), floods);
  private final EmbeddedChannel listener = new EmbeddedChannel(bound);

  private EmbeddedChannel connect() {
    EmbeddedChannel connection = new EmbeddedChannel();
    listener.writeInbound(connection);
    return connection;
  }

  @Test
  void shouldCutAConnectionThatIsTooMany() {
    EmbeddedChannel first = connect();

    EmbeddedChannel second = connect();

    assertThat(second.isOpen()).isFalse();
    assertThat(first.isOpen()).isTrue();
    assertThat(bound.count()).isEqualTo(1);
  }

  @Test
  void shouldHoldBackANewConnectionFromASuspectAddressForASecond() {
    EmbeddedChannel first = connect();
    floods.onFlood(first.remoteAddress(), "test");
    assertThat(first.pipeline().get(DelayedReadHandler.class)).isNull();
    first.close();

    EmbeddedChannel second = connect();

    assertThat(second.pipeline().names().get(0))
        .isEqualTo(second.pipeline().context(DelayedReadHandler.class).name());
    // It counts meanwhile.
    assertThat(bound.count()).isEqualTo(1);
    second.close();
    second.runPendingTasks();
    assertThat(bound.count()).isZero();
    nowNs += FloodTracker.SUSPECT_NS;
    assertThat(connect().pipeline().get(DelayedReadHandler.class)).isNull();
  }

  /** As that of the protocol does with calls that cannot be told. */
  @Test
  void shouldCutASilentConnectionWhosePeerIsStillToBeToldSomething() {
    EmbeddedChannel connection = connect();
    connection
        .pipeline()
        .addLast(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void close(ChannelHandlerContext context, ChannelPromise promise) {
                // Waits for ever.
              }
            });

    until(
        "it is cut",
        () -> {
          connection.runScheduledPendingTasks();
          return !connection.isOpen();
        });

    assertThat(bound.count()).isZero();
  }
}
