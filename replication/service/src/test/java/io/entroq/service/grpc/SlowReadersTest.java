package io.entroq.service.grpc;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Who is looked after, and who is found to be too slow. */
class SlowReadersTest {
  private static final Duration STALL_MAX = Duration.ofSeconds(10);
  private static final int PASSING = 1 << 10;

  private final SlowReaders readers = new SlowReaders(STALL_MAX);
  private final AtomicInteger slow = new AtomicInteger();
  private final Transport transport = new Transport();

  @Test
  void shouldNotLookAfterAnswersThatLeaveAtOnce() {
    for (int i = 0; i < 3 * PASSING; i++) {
      ResponseReader reader = reader();
      reader.sentLast(100);
      assertThat(reader.end()).isFalse();
      assertThat(readers.count()).isZero();
    }
    readers.look(after(STALL_MAX));
    assertThat(readers.count()).isZero();
    assertThat(slow).hasValue(0);
  }

  @Test
  void shouldHoldNothingOfAnAnswerThatHasLeft() {
    List<WeakReference<Transport>> calls = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Transport call = new Transport();
      calls.add(new WeakReference<>(call));
      ResponseReader reader = new ResponseReader(call, readers);
      reader.onSlow(() -> call.request(1));
      reader.sentLast(100);
      reader.end();
    }
    until(
        "the calls are not held any more",
        () -> {
          System.gc();
          return calls.subList(0, 9).stream().allMatch(call -> call.get() == null);
        });
  }

  @Test
  void shouldFindAnAnswerThatDoesNotLeaveAtTheNextLook() {
    transport.isReady = false;
    ResponseReader reader = reader();
    reader.sentLast(0);
    assertThat(readers.count()).isZero();
    readers.look(System.nanoTime());
    assertThat(readers.count()).isEqualTo(1);
    readers.look(after(STALL_MAX.minusSeconds(1)));
    assertThat(slow).hasValue(0);
    readers.look(after(STALL_MAX));
    assertThat(slow).hasValue(1);
    assertThat(readers.cut()).isEqualTo(1);
    assertThat(readers.count()).isZero();
    assertThat(reader.end()).isTrue();
  }

  @Test
  void shouldFindAnswersThatDoNotLeaveBehindManyThatDo() {
    transport.isReady = false;
    List<ResponseReader> stuck = new ArrayList<>();
    for (int i = 0; i < PASSING; i++) {
      ResponseReader reader = reader();
      reader.sentLast(0);
      stuck.add(reader);
    }
    assertThat(readers.count()).isZero();
    for (int i = 0; i < PASSING; i++) {
      ResponseReader reader = reader();
      reader.sentLast(0);
      reader.end();
    }
    assertThat(readers.count()).isEqualTo(PASSING);
    readers.look(after(STALL_MAX));
    assertThat(slow).hasValue(PASSING);
    assertThat(stuck).allMatch(ResponseReader::end);
  }

  @Test
  void shouldGiveMoreTimeForMoreBytes() {
    transport.isReady = false;
    ResponseReader reader = reader();
    reader.sentLast(160 << 10);
    readers.look(System.nanoTime());
    readers.look(after(STALL_MAX.plusSeconds(9)));
    assertThat(slow).hasValue(0);
    readers.look(after(STALL_MAX.plusSeconds(10)));
    assertThat(slow).hasValue(1);
  }

  @Test
  void shouldLookAfterAReaderOfSeveralMessagesWhileHeTakesNone() {
    ResponseReader reader = reader();
    reader.sent(0);
    assertThat(readers.count()).isZero();
    transport.isReady = false;
    reader.sent(0);
    assertThat(readers.count()).isEqualTo(1);
    transport.isReady = true;
    readers.look(after(STALL_MAX));
    assertThat(readers.count()).isZero();
    assertThat(slow).hasValue(0);
    transport.isReady = false;
    reader.sent(0);
    readers.look(after(STALL_MAX));
    assertThat(slow).hasValue(1);
    assertThat(reader.end()).isTrue();
  }

  @Test
  void shouldCountAReaderOnceWhoIsTooSlowTwice() {
    transport.isReady = false;
    ResponseReader reader = reader();
    reader.sent(0);
    readers.look(after(STALL_MAX));
    reader.sentLast(0);
    readers.look(System.nanoTime());
    readers.look(after(STALL_MAX));
    assertThat(slow).hasValue(2);
    assertThat(readers.cut()).isEqualTo(1);
  }

  @Test
  void shouldForgetWhoeverIsGone() {
    transport.isReady = false;
    ResponseReader reader = reader();
    reader.sent(0);
    assertThat(reader.end()).isFalse();
    assertThat(readers.count()).isZero();
    reader.sent(0);
    reader.sentLast(0);
    readers.look(after(STALL_MAX));
    assertThat(readers.count()).isZero();
    assertThat(slow).hasValue(0);
  }

  @Test
  void shouldGoOnWhateverHappensToOneWhoIsTooSlow() {
    transport.isReady = false;
    for (int i = 0; i < 10; i++) {
      ResponseReader reader = reader();
      reader.onSlow(
          () -> {
            slow.incrementAndGet();
            throw new AssertionError("on purpose");
          });
      reader.sent(0);
    }
    readers.look(after(STALL_MAX));
    assertThat(slow).hasValue(10);
    assertThat(readers.count()).isZero();
  }

  private ResponseReader reader() {
    ResponseReader reader = new ResponseReader(transport, readers);
    reader.onSlow(slow::incrementAndGet);
    return reader;
  }

  private static long after(Duration duration) {
    return System.nanoTime() + duration.toNanos() + TimeUnit.MILLISECONDS.toNanos(1);
  }

  /** Takes what is sent, or does not. */
  private static final class Transport extends ServerCall<Void, Void> {
    boolean isReady = true;

    @Override
    public boolean isReady() {
      return isReady;
    }

    @Override
    public void request(int messages) {}

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void sendMessage(Void message) {}

    @Override
    public void close(Status status, Metadata trailers) {}

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public MethodDescriptor<Void, Void> getMethodDescriptor() {
      throw new UnsupportedOperationException();
    }
  }
}
