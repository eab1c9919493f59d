package io.entroq.system.member;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ReceiveChannelEndpointSupplier;
import io.aeron.driver.ext.DebugReceiveChannelEndpoint;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import org.agrona.concurrent.status.AtomicCounter;

/** Endpoints that receive through the {@link PacketFilter}. The media driver finds this by name. */
public final class FilteredReceiveEndpoints implements ReceiveChannelEndpointSupplier {
  @Override
  public ReceiveChannelEndpoint newInstance(
      UdpChannel channel,
      DataPacketDispatcher dispatcher,
      AtomicCounter status,
      MediaDriver.Context context) {
    return new DebugReceiveChannelEndpoint(
        channel,
        dispatcher,
        status,
        context,
        PacketFilter.OF_THIS_PROCESS,
        (address, buffer, length) -> false);
  }
}
