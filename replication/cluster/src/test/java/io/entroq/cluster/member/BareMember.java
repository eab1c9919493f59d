package io.entroq.cluster.member;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.security.NullCredentialsSupplier;
import io.entroq.cluster.session.Leadership;
import io.entroq.cluster.session.MemberPrincipal;
import io.entroq.engine.Closing;
import io.entroq.engine.time.LogClock;
import java.time.Duration;
import org.agrona.concurrent.IdleStrategy;

/**
 * A member with a service of the caller's that replies over sessions. Benchmarks compare a queue
 * with it. It has the components and settings of a {@link ClusterMember}.
 */
public final class BareMember implements AutoCloseable {
  private final MemberConfig config;
  private final MemberDirectory directory;
  private final MemberComponents parts;

  private BareMember(MemberConfig config, MemberDirectory directory) {
    this.config = config;
    this.directory = directory;
    LogClock clock = config.clock().get();
    clock.start(Long.MIN_VALUE);
    parts =
        new MemberComponents(
            config, directory, new MemberErrors(config.memberId()), true, clock, () -> 0);
  }

  /** Starts a member; returns before it has found a leader. */
  public static BareMember start(MemberConfig config, ClusteredService service) {
    MemberDirectory directory = MemberDirectory.open(config);
    try {
      BareMember member = new BareMember(config, directory);
      member.parts.launch(service, null, part -> {}, trouble -> {});
      return member;
    } catch (Throwable t) {
      Closing.after(t, directory);
      throw t;
    }
  }

  /** The status, without the leader and the applied position. */
  public MemberStatus status() {
    return parts.status(Leadership.NONE, 0, 0);
  }

  /** The configuration of a member's session over this driver. */
  public AeronCluster.Context session() {
    return new AeronCluster.Context()
        .aeronDirectoryName(config.driverDirectory().toString())
        .ingressChannel(config.commandChannel())
        .ingressEndpoints(MemberAddress.forIngress(config.members()))
        .egressChannel("aeron:udp?endpoint=" + config.address().host() + ":0")
        .isIngressExclusive(true)
        .messageTimeoutNs(Duration.ofSeconds(20).toNanos())
        .credentialsSupplier(
            new NullCredentialsSupplier() {
              @Override
              public byte[] encodedCredentials() {
                return MemberPrincipal.of(ProcessHandle.current().pid());
              }
            });
  }

  /** An idle strategy for a thread that waits for network input. */
  public IdleStrategy idle() {
    return parts.idleStrategies().forNetwork();
  }

  /** Wakes the driver after a message was sent. */
  public void sent() {
    parts.idleStrategies().onSent();
  }

  @Override
  public void close() {
    Closing.all(parts, directory);
  }
}
