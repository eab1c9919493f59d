package io.entroq.system.member;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ReceiveChannelEndpointSupplier;
import io.aeron.driver.ext.DebugReceiveChannelEndpoint;
import io.aeron.driver.ext.LossGenerator;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.protocol.DataHeaderFlyweight;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Endpoints that receive through the {@link PacketFilter}. The media driver finds this by name.
 * They replace those of {@link io.entroq.cluster.aeron.LogReceiver}, and so do the same.
 */
public final class FilteredReceiveEndpoints implements ReceiveChannelEndpointSupplier {
  @Override
  public ReceiveChannelEndpoint newInstance(
      UdpChannel channel,
      DataPacketDispatcher dispatcher,
      AtomicCounter status,
      MediaDriver.Context context) {
    LossGenerator filter = PacketFilter.OF_THIS_PROCESS;
    return new DebugReceiveChannelEndpoint(
        channel,
        dispatcher,
        status,
        context,
        channel.isManualControlMode()
            ? (address, buffer, length) ->
                DataHeaderFlyweight.isRevoked(buffer)
                    || filter.shouldDropFrame(address, buffer, length)
            : filter,
        (address, buffer, length) -> false);
  }
}
