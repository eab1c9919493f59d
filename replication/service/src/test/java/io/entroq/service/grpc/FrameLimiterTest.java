package io.entroq.service.grpc;

import static io.entroq.service.grpc.RawHttp2.DATA;
import static io.entroq.service.grpc.RawHttp2.END_STREAM;
import static io.entroq.service.grpc.RawHttp2.PING;
import static io.entroq.service.grpc.RawHttp2.PREFACE;
import static io.entroq.service.grpc.RawHttp2.RST_STREAM;
import static io.entroq.service.grpc.RawHttp2.WINDOW_UPDATE;
import static io.entroq.service.grpc.RawHttp2.concat;
import static io.entroq.service.grpc.RawHttp2.frame;
import static io.entroq.service.grpc.RawHttp2.nextCall;
import static io.entroq.service.grpc.RawHttp2.repeated;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.embedded.EmbeddedChannel;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What counts as a flood, and what does not. */
class FrameLimiterTest {
  private static final byte[] PING_FRAME = frame(PING, 0, 0, new byte[8]);

  private static final byte[] PING_ACK = frame(PING, 1, 0, new byte[8]);

  private long nowNs;
  private final FloodTracker floods = new FloodTracker(() -> nowNs);
  private final EmbeddedChannel connection = new EmbeddedChannel();
  private int streams;

  FrameLimiterTest() {
    connection.pipeline().addLast(new FrameLimiter(floods));
    comes(PREFACE);
  }

  @AfterEach
  void close() {
    connection.finishAndReleaseAll();
  }

  private void comes(byte[] bytes) {
    connection.writeInbound(Unpooled.wrappedBuffer(bytes));
    connection.releaseInbound();
  }

  private void comes(byte[] frame, int times) {
    comes(repeated(frame, times * frame.length));
  }

  /** The server sends something. */
  private void sends(byte[] bytes) {
    connection.writeOutbound(Unpooled.wrappedBuffer(bytes));
    connection.releaseOutbound();
  }

  /** Begins so many calls. */
  private void calls(int count) {
    for (int i = 0; i < count; i++) {
      streams++;
      comes(nextCall(2 * streams - 1));
    }
  }

  /** Resets the newest calls. */
  private void resets(int count) {
    for (int i = 0; i < count; i++) {
      comes(reset(2 * (streams - i) - 1));
    }
  }

  private static byte[] reset(int stream) {
    return frame(RST_STREAM, 0, stream, new byte[4]);
  }

  private void seconds(long seconds) {
    nowNs += TimeUnit.SECONDS.toNanos(seconds);
  }

  private void millis(long millis) {
    nowNs += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private boolean isCut() {
    return floods.count() == 1;
  }

  @Test
  void shouldCutWhoeverSendsMoreThanANewConnectionMay() {
    comes(PING_FRAME, FrameLimiter.FRAMES_FIRST);
    assertThat(isCut()).isFalse();
    comes(PING_FRAME, 1);
    assertThat(isCut()).isTrue();
  }

  @Test
  void shouldGoByTimeAndSaveSomeOfIt() {
    for (int i = 0; i < 100; i++) {
      comes(PING_FRAME, FrameLimiter.FRAMES_PER_SECOND);
      seconds(1);
    }
    seconds(1_000);
    comes(PING_FRAME, FrameLimiter.FRAMES_MAX);
    assertThat(isCut()).isFalse();
    comes(PING_FRAME, 1);
    assertThat(isCut()).isTrue();
  }

  @Test
  void shouldTellAndCloseAndReadNoMore() {
    comes(PING_FRAME, FrameLimiter.FRAMES_FIRST + 1);
    ByteBuf goAway = connection.readOutbound();
    assertThat(goAway.getByte(3)).isEqualTo((byte) RawHttp2.GOAWAY);
    goAway.release();
    ByteBuf later = Unpooled.wrappedBuffer(PING_FRAME);
    connection.writeInbound(later);
    assertThat(later.refCnt()).isZero();
    assertThat(connection.inboundMessages()).isEmpty();
    assertThat(connection.config().isAutoRead()).isFalse();
    connection.advanceTimeBy(1, TimeUnit.SECONDS);
    connection.runScheduledPendingTasks();
    assertThat(connection.isOpen()).isFalse();
  }

  @Test
  void shouldLetAConnectionFromASuspectAddressSayLittleAtFirst() {
    floods.onFlood(connection.remoteAddress(), "test");
    EmbeddedChannel next = new EmbeddedChannel(new FrameLimiter(floods));
    next.writeInbound(Unpooled.wrappedBuffer(PREFACE));
    next.writeInbound(
        Unpooled.wrappedBuffer(
            repeated(PING_FRAME, FrameLimiter.FRAMES_SUSPECT * PING_FRAME.length)));
    assertThat(floods.count()).isEqualTo(1);
    // What has been open before is as it was.
    comes(PING_FRAME, FrameLimiter.FRAMES_FIRST);
    assertThat(floods.count()).isEqualTo(1);
    next.writeInbound(Unpooled.wrappedBuffer(PING_FRAME));
    assertThat(floods.count()).isEqualTo(2);
    next.finishAndReleaseAll();
  }

  /** Once, though more is read of such a connection before it is closed. */
  @Test
  void shouldCountWhatTheLibraryEndsForAFlood() {
    byte[] noError = frame(RawHttp2.GOAWAY, 0, 0, new byte[8]);
    connection.writeOutbound(Unpooled.wrappedBuffer(noError));
    assertThat(floods.count()).isZero();
    byte[] calm = new byte[8];
    calm[7] = 11;
    connection.writeOutbound(Unpooled.wrappedBuffer(frame(RawHttp2.GOAWAY, 0, 0, calm)));
    assertThat(isCut()).isTrue();
    comes(PING_FRAME, FrameLimiter.FRAMES_MAX);
    assertThat(isCut()).isTrue();
  }

  /** Whoever reads much says often that there is room for more. */
  @Test
  void shouldAllowMoreToWhomMuchIsSent() {
    byte[] update = frame(WINDOW_UPDATE, 0, 0, new byte[4]);
    for (int i = 0; i < 10_000; i++) {
      sends(frame(DATA, 0, 1, new byte[256]));
      comes(update, 4);
    }
    assertThat(isCut()).isFalse();
  }

  /** A client in Go does so for each answer, if it waits for one before it asks again. */
  @Test
  void shouldLetTheReaderOfAShortAnswerUpdateItsWindowAndAsk() {
    byte[] update = frame(WINDOW_UPDATE, 0, 0, new byte[4]);
    byte[] answer = frame(DATA, 0, 1, new byte[5]);
    for (int i = 0; i < 10 * FrameLimiter.FRAMES_MAX; i++) {
      // The encoder hands over the head and what follows one after the other.
      sends(Arrays.copyOf(answer, 9));
      sends(Arrays.copyOfRange(answer, 9, answer.length));
      comes(concat(update, PING_FRAME));
      sends(PING_ACK);
    }
    assertThat(isCut()).isFalse();
  }

  @Test
  void shouldLetPingsOfTheServerBeAnswered() {
    for (int i = 0; i < 2 * FrameLimiter.FRAMES_MAX; i++) {
      sends(PING_FRAME);
      comes(PING_ACK);
    }
    assertThat(isCut()).isFalse();
  }

  @Test
  void shouldNotAllowMoreForAnswersToPings() {
    for (int i = 0; i <= FrameLimiter.FRAMES_FIRST; i++) {
      comes(PING_FRAME);
      sends(PING_ACK);
    }
    assertThat(isCut()).isTrue();
  }

  @Test
  void shouldLetCallsAndTheirDataBy() {
    byte[] data = frame(DATA, 0, 1, new byte[16]);
    byte[] end = frame(DATA, END_STREAM, 1);
    for (int i = 0; i < 10_000; i++) {
      calls(1);
      comes(concat(data, end));
    }
    assertThat(isCut()).isFalse();
  }

  @Test
  void shouldLetAllWaitingCallsBeResetAtOnce() {
    calls(16_000);
    seconds(2);
    resets(16_000);
    assertThat(isCut()).isFalse();
    // Each of them once.
    comes(reset(1), FrameLimiter.FRAMES_MAX + 1);
    assertThat(isCut()).isTrue();
  }

  @Test
  void shouldKnowWhichCallsAreYoung() {
    int most = FrameLimiter.FRAMES_MAX / FrameLimiter.FRAMES_PER_RESET;
    seconds(10);
    calls(3 * most);
    millis(90);
    resets(most);
    assertThat(isCut()).isFalse();
    resets(most);
    assertThat(isCut()).isTrue();
  }

  @Test
  void shouldCutWhoeverHasTheServerResetCalls() {
    calls(FrameLimiter.FRAMES_FIRST);
    for (int i = 1; i <= FrameLimiter.FRAMES_FIRST / 2; i++) {
      sends(reset(2 * i - 1));
    }
    calls(1);
    assertThat(isCut()).isTrue();
  }

  /** As at its deadline, which both know. */
  @Test
  void shouldCountACallOnceThatBothSidesReset() {
    int most = FrameLimiter.FRAMES_FIRST / FrameLimiter.FRAMES_PER_RESET;
    calls(most);
    for (int i = 1; i <= most; i++) {
      connection.writeOutbound(Unpooled.wrappedBuffer(reset(2 * i - 1)));
      connection.releaseOutbound();
    }
    resets(most);
    assertThat(isCut()).isFalse();
    // What the server has sent allows some more.
    calls(100);
    resets(100);
    assertThat(isCut()).isTrue();
  }

  @Test
  void shouldCountACallOnceThatTheOtherSideResetsALittleLater() {
    int most = FrameLimiter.FRAMES_FIRST / FrameLimiter.FRAMES_PER_RESET;
    calls(most);
    for (int i = 1; i <= most; i++) {
      connection.writeOutbound(Unpooled.wrappedBuffer(reset(2 * i - 1)));
      connection.releaseOutbound();
    }
    nowNs += FrameLimiter.YOUNG_NS;
    resets(most);
    assertThat(isCut()).isFalse();
    // Resets are carried over to the next period, but not to the one after it.
    nowNs += FrameLimiter.YOUNG_NS;
    calls(most);
    resets(most);
    assertThat(isCut()).isTrue();
  }

  /** A client that sends a short message and the end of its request in separate frames. */
  private void callsWithAMessage(int count) {
    for (int i = 0; i < count; i++) {
      calls(1);
      int stream = 2 * streams - 1;
      comes(concat(frame(DATA, 0, stream, new byte[5]), frame(DATA, END_STREAM, stream)));
    }
  }

  @Test
  void shouldLetCallsThatEndByTheirDeadlineBy() {
    for (int round = 0; round < 200; round++) {
      int first = streams;
      callsWithAMessage(600);
      millis(200);
      for (int i = 1; i <= 600; i++) {
        int stream = 2 * (first + i) - 1;
        // Some end at the client alone, and some at both ends.
        if (i % 3 > 0) {
          sends(reset(stream));
        }
        comes(reset(stream));
      }
    }
    assertThat(isCut()).isFalse();
  }

  @Test
  void shouldLetCallsThatEndByTheirDeadlineByThoughTheServerReadsThemLate() {
    callsWithAMessage(1_200);
    resets(1_200);
    assertThat(isCut()).isFalse();
  }

  @Test
  void shouldCountFurtherShortMessagesOfACall() {
    callsWithAMessage(10);
    byte[] more = frame(DATA, 0, 1, new byte[5]);
    comes(more, FrameLimiter.FRAMES_FIRST);
    assertThat(isCut()).isFalse();
    comes(more, 1);
    assertThat(isCut()).isTrue();
  }

  /** Resets of waiting calls cost little, and excuse no others. */
  @Test
  void shouldCountResetsOfYoungCallsThoughOldOnesWereResetBefore() {
    int most = FrameLimiter.FRAMES_MAX / FrameLimiter.FRAMES_PER_RESET;
    seconds(10);
    calls(2 * most);
    seconds(2);
    resets(2 * most);
    seconds(1);
    int first = streams;
    calls(2 * most);
    for (int i = 1; i <= 2 * most; i++) {
      sends(reset(2 * (first + i) - 1));
    }
    calls(1);
    assertThat(isCut()).isTrue();
  }

  @Test
  void shouldNotForgetEmptyData() {
    for (int i = 0; i < FrameLimiter.EMPTY_MAX; i++) {
      comes(frame(DATA, 0, 1));
      seconds(100);
    }
    assertThat(isCut()).isFalse();
    comes(frame(DATA, 0, 1));
    assertThat(isCut()).isTrue();
  }

  /** However they are read: what is in them is no head of a frame. */
  @Test
  void shouldPassOnAllThatComesInAnyPieces() {
    SplittableRandom random = new SplittableRandom(1);
    byte[] all = new byte[0];
    for (int i = 0; i < 300; i++) {
      all = concat(all, frame(DATA, 0, 1, new byte[random.nextInt(16, 400)]), PING_FRAME);
    }
    int at = 0;
    while (at < all.length) {
      int next = Math.min(all.length, at + random.nextInt(1, 30));
      connection.writeInbound(Unpooled.wrappedBuffer(Arrays.copyOfRange(all, at, next)));
      at = next;
    }
    int passed = 0;
    for (ByteBuf read = connection.readInbound(); read != null; read = connection.readInbound()) {
      passed += read.readableBytes();
      read.release();
    }
    assertThat(passed).isEqualTo(all.length);
    assertThat(isCut()).isFalse();
    comes(PING_FRAME, FrameLimiter.FRAMES_FIRST - 300);
    assertThat(isCut()).isFalse();
    comes(PING_FRAME, 1);
    assertThat(isCut()).isTrue();
  }

  @Test
  void shouldNotReadFromWhomeverDoesNotRead() {
    connection.write(Unpooled.wrappedBuffer(new byte[FrameLimiter.UNREAD_BYTES_MAX * 2]));
    comes(PING_FRAME);
    assertThat(connection.config().isAutoRead()).isFalse();
    connection.flush();
    connection.releaseOutbound();
    assertThat(connection.config().isAutoRead()).isTrue();
  }
}
