package io.entroq.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.protocol.HeaderFlyweight;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Followers that begin to listen just after a leader has offered its log need not wait long. */
class SetupRepeaterIT {
  private static final int STREAM = 100;
  private static final int FRAME_BYTES_MAX = 1_408;

  private long nowNs = 1;

  @TempDir Path directory;

  @Test
  void shouldOfferTheLogAgainBeforeTheDriverDoes() throws Exception {
    SetupRepeater setups = new SetupRepeater(() -> nowNs);
    try (DatagramChannel follower = listen();
        MediaDriver driver =
            MediaDriver.launch(
                new MediaDriver.Context()
                    .aeronDirectoryName(directory.resolve("driver").toString())
                    .threadingMode(ThreadingMode.INVOKER)
                    .nanoClock(() -> nowNs)
                    .publicationTermBufferLength(64 << 10)
                    .sendChannelEndpointSupplier(setups)
                    .senderDutyCycleTracker(setups));
        Aeron aeron =
            Aeron.connect(
                new Aeron.Context()
                    .aeronDirectoryName(driver.aeronDirectoryName())
                    .useConductorAgentInvoker(true)
                    .driverAgentInvoker(driver.sharedAgentInvoker()));
        ExclusivePublication log =
            aeron.addExclusivePublication("aeron:udp?control-mode=manual", STREAM)) {
      // The driver sends the first frame when nobody has said where to.
      log.addDestination(
          "aeron:udp?endpoint=127.0.0.1:"
              + ((InetSocketAddress) follower.getLocalAddress()).getPort());
      for (int passedMs : new int[] {5, 15, 35, 75}) {
        passTo(passedMs, driver);
        assertThat(setupsTo(follower)).as("frames after %d ms", passedMs).isEqualTo(1);
        passTo(passedMs + 4, driver);
        assertThat(setupsTo(follower)).as("frames after %d ms more", 4).isZero();
      }
      passTo(102, driver);
      assertThat(setupsTo(follower)).as("frames of the driver's own").isEqualTo(1);
    }
  }

  private static DatagramChannel listen() throws IOException {
    DatagramChannel channel = DatagramChannel.open();
    channel.bind(new InetSocketAddress("127.0.0.1", 0)).configureBlocking(false);
    return channel;
  }

  private void passTo(int ms, MediaDriver driver) {
    nowNs = 1 + TimeUnit.MILLISECONDS.toNanos(ms);
    int unused = driver.sharedAgentInvoker().invoke();
  }

  private static int setupsTo(DatagramChannel follower) throws IOException {
    int setups = 0;
    ByteBuffer frame = ByteBuffer.allocate(FRAME_BYTES_MAX);
    while (follower.receive(frame) != null) {
      setups +=
          frame.get(HeaderFlyweight.TYPE_FIELD_OFFSET) == HeaderFlyweight.HDR_TYPE_SETUP ? 1 : 0;
      frame.clear();
    }
    return setups;
  }
}
