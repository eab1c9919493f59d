package io.entroq.system.member;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.SendChannelEndpointSupplier;
import io.aeron.driver.ext.DebugSendChannelEndpoint;
import io.aeron.driver.media.PortManager;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import java.net.InetSocketAddress;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Endpoints that send from the member's own address, which identifies the sender, and receive
 * through the {@link PacketFilter}. The media driver finds this by name.
 */
public final class FilteredSendEndpoints implements SendChannelEndpointSupplier {
  @Override
  public SendChannelEndpoint newInstance(
      UdpChannel channel, AtomicCounter status, MediaDriver.Context context) {
    context.senderPortManager(new OwnAddress());
    return new DebugSendChannelEndpoint(
        channel, status, context, (address, buffer, length) -> false, PacketFilter.OF_THIS_PROCESS);
  }

  private static final class OwnAddress implements PortManager {
    @Override
    public InetSocketAddress getManagedPort(UdpChannel channel, InetSocketAddress address) {
      return address.getAddress().isAnyLocalAddress()
          ? new InetSocketAddress(PacketFilter.own(), address.getPort())
          : address;
    }

    @Override
    public void freeManagedPort(InetSocketAddress address) {}
  }
}
