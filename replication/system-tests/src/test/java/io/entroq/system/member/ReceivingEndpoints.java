package io.entroq.system.member;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ReceiveChannelEndpointSupplier;
import io.aeron.driver.ext.DebugReceiveChannelEndpoint;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import org.agrona.concurrent.status.AtomicCounter;

/** Makes endpoints that hear what the {@link Network} lets through. The driver finds it by name. */
public final class ReceivingEndpoints implements ReceiveChannelEndpointSupplier {
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
        Network.OF_THIS_PROCESS,
        (address, buffer, length) -> false);
  }
}
