package io.entroq.server.localcluster;

import io.entroq.cluster.member.MemberException;
import io.entroq.cluster.member.UnusedPorts;
import io.entroq.server.localcluster.LocalClusterConfig.PortUse;
import io.entroq.tools.terminal.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Assigns ports to members. */
final class PortAssignment {
  private static final int PORT_MAX = 65_535;

  private final LocalClusterConfig config;

  PortAssignment(LocalClusterConfig config) {
    this.config = config;
  }

  /**
   * Reuses the ports of the last start, except where the configuration sets others, or picks unused
   * ones.
   *
   * @param previous the file of the last start
   * @throws CommandException if the number of members differs, or too few ports are available
   */
  List<MemberPorts> choose(Optional<ClusterFile> previous) {
    List<MemberPorts> allPorts =
        previous
            .map(ClusterFile::members)
            .orElseGet(() -> anyPorts(config.members().orElse(LocalClusterConfig.MEMBERS_DEFAULT)));
    config
        .members()
        .ifPresent(
            members -> {
              if (members != allPorts.size()) {
                throw new CommandException(
                    "--members: the cluster in %s has %d members; this cannot be changed"
                        .formatted(config.directory(), allPorts.size()));
              }
            });
    // Ports may change, since all members start with the same new ones.
    return allPorts.stream().map(this::withConfiguredPorts).toList();
  }

  private List<MemberPorts> anyPorts(int members) {
    try {
      return unusedPorts(members, new UnusedPorts(config.host()));
    } catch (MemberException e) {
      throw new CommandException(
          "--host: " + e.getMessage() + "; choose ports with --port, --http-port and --member-port",
          e);
    }
  }

  private List<MemberPorts> unusedPorts(int members, UnusedPorts unused) {
    List<MemberPorts> allPorts = new ArrayList<>();
    for (int id = 0; id < members; id++) {
      allPorts.add(
          new MemberPorts(
              id,
              config.port(PortUse.GRPC).orElseGet(() -> unused.take(PortUse.GRPC.count())),
              config.port(PortUse.HTTP).orElseGet(() -> unused.take(PortUse.HTTP.count())),
              config.port(PortUse.MEMBERS).orElseGet(() -> unused.take(PortUse.MEMBERS.count()))));
    }
    return allPorts;
  }

  private MemberPorts withConfiguredPorts(MemberPorts ports) {
    return new MemberPorts(
        ports.id(),
        configured(PortUse.GRPC, ports.id()).orElse(ports.port()),
        configured(PortUse.HTTP, ports.id()).orElse(ports.httpPort()),
        configured(PortUse.MEMBERS, ports.id()).orElse(ports.memberPort()));
  }

  private Optional<Integer> configured(PortUse kind, int id) {
    Optional<Integer> port = config.port(kind).map(first -> first + id * kind.count());
    if (port.isPresent() && port.get() + kind.count() - 1 > PORT_MAX) {
      throw new CommandException(
          "member %2$d would need a port above %1$d".formatted(PORT_MAX, id));
    }
    return port;
  }
}
