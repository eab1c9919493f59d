package io.entroq.cluster.aeron;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ReceiveChannelEndpointSupplier;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.protocol.DataHeaderFlyweight;
import java.net.InetSocketAddress;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Lets a follower read a part of the log to its end. A leader whose archive breaks off a replay for
 * a follower revokes that stream. The follower's driver would then close the log at once: for a
 * service that has read less than the consensus module, the rest would be missing; and a second
 * replay of the same session would end with the first. Without a word about its end, the log goes
 * on with what the leader sends next, or the consensus module asks again.
 *
 * <p>For the driver's thread.
 */
public final class LogReceiver implements ReceiveChannelEndpointSupplier {
  /** Only the log is received from destinations that are added by hand. */
  @Override
  public ReceiveChannelEndpoint newInstance(
      UdpChannel channel,
      DataPacketDispatcher dispatcher,
      AtomicCounter status,
      MediaDriver.Context context) {
    return channel.isManualControlMode()
        ? new Log(channel, dispatcher, status, context)
        : new ReceiveChannelEndpoint(channel, dispatcher, status, context);
  }

  private static final class Log extends ReceiveChannelEndpoint {
    Log(
        UdpChannel channel,
        DataPacketDispatcher dispatcher,
        AtomicCounter status,
        MediaDriver.Context context) {
      super(channel, dispatcher, status, context);
    }

    @Override
    public int onDataPacket(
        DataHeaderFlyweight header,
        UnsafeBuffer buffer,
        int length,
        InetSocketAddress source,
        int transportIndex) {
      return DataHeaderFlyweight.isRevoked(buffer)
          ? 0
          : super.onDataPacket(header, buffer, length, source, transportIndex);
    }
  }
}
