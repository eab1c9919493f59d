package io.entroq.cluster.member;

import io.aeron.driver.Configuration;
import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ReceiveChannelEndpointSupplier;
import io.aeron.driver.ext.DebugReceiveChannelEndpoint;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/** Endpoints that lose or hold what some members receive. The media driver finds this by name. */
public final class FaultyEndpoints implements ReceiveChannelEndpointSupplier {
  private static final Map<String, Fault> FAULTS = new ConcurrentHashMap<>();

  /** Decides what is lost. Called on the thread of the media driver, which it may hold. */
  interface Fault {
    /**
     * Whether a datagram is lost.
     *
     * @param frames one frame, or several of data
     * @param length of all frames
     * @param age of the endpoint that receives them
     */
    boolean loses(DirectBuffer frames, int length, Duration age);
  }

  /** Members that start from now on have such endpoints. */
  static void install() {
    System.setProperty(
        Configuration.RECEIVE_CHANNEL_ENDPOINT_SUPPLIER_PROP_NAME, FaultyEndpoints.class.getName());
  }

  static void remove() {
    System.clearProperty(Configuration.RECEIVE_CHANNEL_ENDPOINT_SUPPLIER_PROP_NAME);
    FAULTS.clear();
  }

  static void add(MemberConfig member, Fault fault) {
    FAULTS.put(member.driverDirectory().toString(), fault);
  }

  @Override
  public ReceiveChannelEndpoint newInstance(
      UdpChannel channel,
      DataPacketDispatcher dispatcher,
      AtomicCounter status,
      MediaDriver.Context context) {
    long beganNs = System.nanoTime();
    return new DebugReceiveChannelEndpoint(
        channel,
        dispatcher,
        status,
        context,
        (address, frame, length) -> {
          Fault fault = FAULTS.get(context.aeronDirectoryName());
          return fault != null
              && fault.loses(frame, length, Duration.ofNanos(System.nanoTime() - beganNs));
        },
        (address, frame, length) -> false);
  }
}
