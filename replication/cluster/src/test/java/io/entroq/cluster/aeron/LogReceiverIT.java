package io.entroq.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.Aeron;
import io.aeron.ChannelUriStringBuilder;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.status.ReceiverPos;
import io.entroq.cluster.member.UnusedPorts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A follower reads the log to its end although the leader breaks off a replay. */
class LogReceiverIT {
  private static final int STREAM = 100;
  private static final int SESSION = 7;
  private static final int TERM_BYTES = 64 << 10;
  private static final int STEPS_MAX = 60_000;

  private final String replayTo = "127.0.0.1:" + new UnusedPorts("127.0.0.1").take(1);
  private final String liveTo = "127.0.0.1:" + new UnusedPorts("127.0.0.1").take(1);

  @TempDir Path directory;
  private long nowNs = 1;
  private MediaDriver driver;
  private Aeron aeron;

  @BeforeEach
  void begin() {
    driver =
        MediaDriver.launch(
            new MediaDriver.Context()
                .aeronDirectoryName(directory.resolve("driver").toString())
                .threadingMode(ThreadingMode.INVOKER)
                .nanoClock(() -> nowNs)
                .receiveChannelEndpointSupplier(new LogReceiver()));
    aeron =
        Aeron.connect(
            new Aeron.Context()
                .aeronDirectoryName(driver.aeronDirectoryName())
                .useConductorAgentInvoker(true)
                .driverAgentInvoker(driver.sharedAgentInvoker()));
  }

  @AfterEach
  void end() {
    aeron.close();
    driver.close();
  }

  @Test
  void shouldReadAReplayThatWasBrokenOffAndThenTheLiveLog() {
    try (Subscription log = aeron.addSubscription("aeron:udp?control-mode=manual", STREAM)) {
      log.addDestination("aeron:udp?endpoint=" + replayTo);
      ExclusivePublication replay = publication(replayTo, 0, 0);
      send(replay, 1);
      send(replay, 2);
      passUntil("the follower has it", () -> received() == replay.position());
      Image image = log.imageBySessionId(SESSION);

      long end = replay.position();
      replay.revoke();
      pass(TimeUnit.SECONDS.toMillis(2));
      assertThat(read(image)).containsExactly(1, 2);
      assertThat(image.isEndOfStream()).isFalse();

      log.addDestination("aeron:udp?endpoint=" + liveTo);
      ExclusivePublication live = publication(liveTo, end, replay.initialTermId());
      send(live, 3);
      passUntil("it has that, too", () -> received() == live.position());
      assertThat(read(image)).containsExactly(3);
    }
  }

  private ExclusivePublication publication(String to, long position, int initialTermId) {
    String channel =
        new ChannelUriStringBuilder()
            .media("udp")
            .endpoint(to)
            .sessionId(SESSION)
            .linger(0L)
            .eos(false)
            .initialPosition(position, initialTermId, TERM_BYTES)
            .build();
    return aeron.addExclusivePublication(channel, STREAM);
  }

  private void send(ExclusivePublication to, int number) {
    UnsafeBuffer message = new UnsafeBuffer(new byte[Integer.BYTES]);
    message.putInt(0, number);
    passUntil("it is sent", () -> to.offer(message) > 0);
  }

  /** How far the driver has received the log. */
  private long received() {
    long[] position = {0};
    CountersReader counters = aeron.countersReader();
    counters.forEach(
        (counterId, typeId, key, label) -> {
          if (typeId == ReceiverPos.RECEIVER_POS_TYPE_ID) {
            position[0] = counters.getCounterValue(counterId);
          }
        });
    return position[0];
  }

  private static List<Integer> read(Image image) {
    List<Integer> numbers = new ArrayList<>();
    while (image.poll((buffer, offset, length, header) -> numbers.add(buffer.getInt(offset)), 10)
        > 0) {}
    return numbers;
  }

  private void passUntil(String what, BooleanSupplier condition) {
    int steps = 0;
    while (!condition.getAsBoolean()) {
      assertThat(steps++).as(what).isLessThan(STEPS_MAX);
      pass(1);
    }
  }

  private void pass(long ms) {
    for (long i = 0; i < ms; i++) {
      nowNs += TimeUnit.MILLISECONDS.toNanos(1);
      int unused = driver.sharedAgentInvoker().invoke() + aeron.conductorAgentInvoker().invoke();
    }
  }
}
