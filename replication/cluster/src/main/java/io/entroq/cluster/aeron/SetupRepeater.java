package io.entroq.cluster.aeron;

import io.aeron.driver.DutyCycleTracker;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.SendChannelEndpointSupplier;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.SetupFlyweight;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Repeats the frames by which a new leader offers the log to its followers. The driver sends the
 * first one when it creates the stream, before the followers listen, and the second one only after
 * a tenth of a second.
 *
 * <p>For the driver's thread.
 */
public final class SetupRepeater extends DutyCycleTracker implements SendChannelEndpointSupplier {
  private static final long FIRST_NS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final int TIMES = 4;

  private final LongSupplier nanoTime;

  /** Null if there is nothing to repeat. */
  private Log log;

  private long nextNs;
  private long delayNs;
  private int left;

  /**
   * @param nanoTime the time source, like {@link System#nanoTime}
   */
  public SetupRepeater(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Only the log is sent to destinations that are added by hand. */
  @Override
  public SendChannelEndpoint newInstance(
      UdpChannel channel, AtomicCounter status, MediaDriver.Context context) {
    return channel.isManualControlMode()
        ? new Log(channel, status, context)
        : new SendChannelEndpoint(channel, status, context);
  }

  @Override
  public void reportMeasurement(long durationNs) {
    if (log != null && nanoTime.getAsLong() - nextNs >= 0) {
      Log due = log;
      delayNs *= 2;
      nextNs += delayNs;
      left--;
      if (left == 0) {
        log = null;
      }
      due.repeat();
    }
  }

  private void begin(Log sent) {
    log = sent;
    delayNs = FIRST_NS;
    nextNs = nanoTime.getAsLong() + delayNs;
    left = TIMES;
  }

  private void end(Log closed) {
    if (log == closed) {
      log = null;
    }
  }

  private final class Log extends SendChannelEndpoint {
    private final ByteBuffer setup = ByteBuffer.allocateDirect(SetupFlyweight.HEADER_LENGTH);

    Log(UdpChannel channel, AtomicCounter status, MediaDriver.Context context) {
      super(channel, status, context);
    }

    @Override
    public int send(ByteBuffer frame) {
      if (frame.get(frame.position() + HeaderFlyweight.TYPE_FIELD_OFFSET)
          == HeaderFlyweight.HDR_TYPE_SETUP) {
        setup.clear().put(frame.duplicate()).flip();
        begin(this);
      }
      return super.send(frame);
    }

    void repeat() {
      int unused = super.send(setup.duplicate());
    }

    @Override
    public void close() {
      end(this);
      super.close();
    }
  }
}
