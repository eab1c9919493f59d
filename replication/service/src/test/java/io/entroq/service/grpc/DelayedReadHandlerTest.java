package io.entroq.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelOutboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A connection that is not read at first. */
class DelayedReadHandlerTest {
  private int reads;
  private final EmbeddedChannel connection = new EmbeddedChannel();

  DelayedReadHandlerTest() {
    connection.freezeTime();
    connection
        .pipeline()
        .addLast(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void read(ChannelHandlerContext context) {
                reads++;
                context.read();
              }
            })
        .addLast(new DelayedReadHandler());
  }

  @AfterEach
  void close() {
    connection.finishAndReleaseAll();
  }

  private void after(long ms) {
    connection.advanceTimeBy(ms, TimeUnit.MILLISECONDS);
    connection.runScheduledPendingTasks();
  }

  @Test
  void shouldBeReadAfterASecond() {
    connection.read();
    connection.read();
    after(DelayedReadHandler.HOLD_MS - 1);
    assertThat(reads).isZero();
    after(1);
    assertThat(reads).isEqualTo(1);
    connection.read();
    assertThat(reads).isEqualTo(2);
    connection.writeInbound(Unpooled.wrappedBuffer(new byte[1]));
    ByteBuf read = connection.readInbound();
    assertThat(read.readableBytes()).isEqualTo(1);
    read.release();
  }

  @Test
  void shouldNotBeReadThenUnlessSomebodyAsks() {
    after(DelayedReadHandler.HOLD_MS);
    assertThat(reads).isZero();
  }

  /** As epoll does once the peer has ended its side. */
  @Test
  void shouldEndWhenItIsReadUnasked() {
    ByteBuf bytes = Unpooled.wrappedBuffer(new byte[1]);
    connection.writeInbound(bytes);
    assertThat(bytes.refCnt()).isZero();
    assertThat(connection.inboundMessages()).isEmpty();
    assertThat(connection.isOpen()).isFalse();
  }

  @Test
  void shouldLeaveNothingBehindWhenItEndsMeanwhile() {
    connection.read();
    connection.close();
    connection.runPendingTasks();
    after(DelayedReadHandler.HOLD_MS);
    assertThat(reads).isZero();
    connection.checkException();
  }
}
